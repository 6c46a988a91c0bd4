// Operations: banks and their sizes, whether the indexes are sound, tasks, keys, latencies; import and export.

import { fill, h, problem, s, toast } from "../lib/dom.js";
import { ask } from "../lib/api.js";
import { link } from "../lib/route.js";
import { bytes, milliseconds, moment, number, plural } from "../lib/words.js";
import { importing } from "../operations/importing.js";

const SCOPES = ["read", "write", "admin"];

const tile = (value, said) => h("div", { class: "card tile" }, h("b", {}, value), h("span", {}, said));

/** What was measured: the route, stage or operation. */
const named = ({ of, labels }) => Object.values(labels ?? {}).join(" ").replace("/v1/banks/{bank}", "…") || of;

/** A quantile of cumulative buckets, as the upper bound of the bucket it falls in. */
function quantile(latency, share) {
  const wanted = latency.count * share;
  const found = latency.buckets.find(([, upTo]) => upTo >= wanted);
  return found && found[0] !== null ? `≤ ${milliseconds(found[0] * 1000)}` : "more";
}

/** A small chart of how many took how long. */
function spark(latency) {
  const counts = latency.buckets.map(([, upTo], n) => upTo - (n ? latency.buckets[n - 1][1] : 0));
  const most = Math.max(1, ...counts);
  return s("svg", { viewBox: `0 0 ${counts.length * 7} 22`, width: counts.length * 7, height: 22, role: "img", "aria-label": latency.buckets.map(([upper], n) => (counts[n] ? `${counts[n]} within ${upper === null ? "any time" : milliseconds(upper * 1000)}` : "")).filter(Boolean).join(", ") },
    counts.map((count, n) => s("rect", { x: n * 7, y: 21 - (count / most) * 20, width: 6, height: Math.max(count ? 1 : 0, (count / most) * 20), fill: "var(--semantic)" })));
}

export function mount(page, { bank, api, may }) {
  const tiles = h("div", { class: "tiles" });
  const banks = h("section", { class: "card panel" });
  const tasks = h("section", { class: "card panel" });
  const checks = h("section", { class: "card panel" });
  const moving = h("section", { class: "card panel" });
  const keys = h("section", { class: "card panel" });
  const slow = h("section", { class: "card panel" });
  let timer = 0;
  fill(page, h("div", { class: "head" }, h("h1", {}, "Operations")), tiles, h("div", { class: "two" }, h("div", { class: "stack" }, banks, checks, moving, keys), h("div", { class: "stack" }, tasks, slow)));
  const part = (node, title, ...more) => fill(node, h("h2", {}, title), ...more);
  const region = (label, table) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
  const head = (...names) => h("thead", {}, h("tr", {}, names.map((name) => (name.startsWith("#") ? h("th", { class: "num" }, name.slice(1)) : h("th", {}, name)))));

  async function drawStatus() {
    let status = null;
    try {
      status = await ask("GET", "/v1/status");
    } catch (error) {
      const stats = await api.get("/stats").catch(() => null);
      part(slow, "Latencies", error.status === 403 ? h("p", { class: "fine" }, "This key may not watch the whole server: that takes a grant of *:metrics.") : problem(error, drawStatus));
      if (stats) status = { banks: [stats] };
    }
    if (!status) return;
    const of = status.banks.find((one) => one.bank === bank) ?? status.banks[0];
    fill(tiles, of && [tile(number(of.units), `memories in ${of.bank}`), tile(number(of.vectors), "vectors"), tile(number(of.entities ?? 0), "entities"), tile(bytes(of.disk_bytes), "on disk")],
      status.questions !== undefined && [tile(number(status.questions), "questions asked"), tile(number(Object.values(status.degraded).reduce((sum, one) => sum + one, 0)), "degraded recalls"), tile(number(status.nothing_relevant), "with nothing relevant")]);
    part(banks, "Banks", region("Banks", h("table", {}, head("Bank", "#Memories", "#Pending", "#Vectors", "#On disk", "Encoder"),
      h("tbody", {}, status.banks.map((one) => h("tr", {}, h("td", {}, h("a", { href: link("operations", { bank: one.bank }) }, one.bank)), h("td", { class: "num" }, number(one.units)), h("td", { class: "num" }, one.pending ?? "–"),
        h("td", { class: "num" }, one.vectors < one.units && one.encoder ? h("span", { class: "chip warn" }, `${number(one.vectors)} of ${number(one.units)}`) : number(one.vectors)), h("td", { class: "num" }, bytes(one.disk_bytes)), h("td", { title: one.encoder }, one.encoder?.split("@")[0] ?? "none")))))),
    status.version && h("p", { class: "fine" }, `scrubjay ${status.version}, started ${moment(status.started_at)}, over ${status.store}; ${status.keys_required ? "keys are required" : "no keys are required"}; ${plural(status.at_work, "request")} at work.`));
    if (status.latencies) {
      const shown = status.latencies.filter((one) => one.count && !/console|whoami|health|ready|GET \/$/.test(one.labels?.endpoint ?? "")).sort((one, two) => two.count - one.count).slice(0, 18);
      part(slow, "Latencies", shown.length ? region("Latencies", h("table", {}, head("Of", "#Count", "#Half", "#99 of 100", "How long"), h("tbody", {}, shown.map((one) => h("tr", {}, h("td", { class: "mono" }, named(one)), h("td", { class: "num" }, number(one.count)), h("td", { class: "num" }, quantile(one, 0.5)), h("td", { class: "num" }, quantile(one, 0.99)), h("td", {}, spark(one))))))) : h("p", { class: "fine" }, "Nothing was asked yet."),
        Object.keys(status.refused ?? {}).length > 0 && h("p", { class: "fine" }, `Refused: ${Object.entries(status.refused).map(([kind, count]) => `${kind} ${count}`).join(", ")}.`),
        Object.keys(status.degraded ?? {}).length > 0 && h("p", { class: "fine" }, `Degraded: ${Object.entries(status.degraded).map(([name, count]) => `${name} ${count}`).join(", ")}.`));
    }
  }

  async function drawTasks() {
    clearTimeout(timer);
    try {
      const { tasks: all } = await ask("GET", "/v1/tasks");
      part(tasks, "Tasks", all.length ? region("Tasks", h("table", {}, head("Task", "Bank", "State", "#Done"), h("tbody", {}, all.slice(0, 20).map((one) => h("tr", {}, h("td", {}, one.kind), h("td", {}, one.bank), h("td", {}, h("span", { class: `chip ${{ done: "good", failed: "bad", running: "on" }[one.state] ?? ""}` }, one.state), one.problem && h("span", { class: "fine" }, ` ${one.problem.detail ?? JSON.stringify(one.problem)}`)), h("td", { class: "num" }, one.total ? `${number(one.done)} of ${number(one.total)}` : "–"))))))
        : h("p", { class: "fine" }, "No import or re-embedding was begun."));
      if (all.some((one) => one.state === "running" || one.state === "waiting")) timer = setTimeout(drawTasks, 1000);
    } catch (error) {
      part(tasks, "Tasks", problem(error, drawTasks));
    }
  }

  function drawChecks() {
    const found = h("div", { class: "stack" });
    const examine = async (fix, button) => {
      button.disabled = true;
      try {
        const { findings } = await api.post("/doctor", { fix });
        fill(found, findings.length ? h("ul", { class: "stack" }, findings.map((one) => h("li", {}, h("span", { class: `chip ${one.fixed ? "good" : "bad"}` }, one.fixed ? "mended" : one.check === "vocabulary" ? "drift" : "wrong"), " ", h("strong", {}, one.check), " ", h("span", { class: "fine" }, one.detail))))
          : h("p", {}, h("span", { class: "chip good" }, "Every index agrees with the memories")));
      } catch (error) {
        fill(found, problem(error));
      }
      button.disabled = false;
    };
    part(checks, "Indexes", h("p", { class: "fine" }, "Compares words with texts, and every index with the rows; mending rebuilds what differs."),
      h("div", { class: "row" }, h("button", { disabled: !may("admin"), onclick: (event) => examine(false, event.target) }, "Examine"), h("button", { disabled: !may("admin"), onclick: (event) => examine(true, event.target) }, "Examine and mend")),
      !may("admin") && h("p", { class: "fine" }, `This takes a key with ${bank}:admin.`), found);
  }

  function drawMoving() {
    part(moving, "Import and export", h("div", { class: "row" }, h("a", { class: "button", href: api.url("/export").href, download: `${bank}.jsonl` }, `Export ${bank}`), h("span", { class: "fine" }, "JSON lines, everything in it, for nothing.")),
      importing(bank, may, drawTasks));
  }

  function keyForm() {
    const made = h("div", { class: "stack", role: "status" });
    const name = h("input", { required: true, maxlength: 100, placeholder: "Who will use it", "aria-label": "Name of the key" });
    const where = h("input", { value: bank, "aria-label": "Bank, or * for every bank" });
    const scope = h("select", { "aria-label": "Scope" }, SCOPES.map((one) => h("option", { value: one, selected: one === "write" }, one)));
    const form = h("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const got = await ask("POST", "/v1/keys", { body: { name: name.value, grants: { [where.value.trim()]: scope.value } } });
        await drawKeys();
        fill(keys.querySelector("[role=status]"), h("p", {}, "Copy it now: it is shown this once."), h("pre", { class: "mono" }, got.key));
      } catch (error) {
        fill(made, problem(error));
      }
    } }, name, where, scope, h("button", { type: "submit" }, "Make a key"));
    return [form, made];
  }

  async function revoke(one) {
    if (!confirm(`Close the key ${one.name}? Whoever uses it is shut out at once, and for good.`)) return;
    try {
      await ask("DELETE", `/v1/keys/${encodeURIComponent(one.id)}`);
      toast("The key is closed.");
      drawKeys();
    } catch (error) {
      fill(keys.querySelector("[role=status]"), problem(error));
    }
  }

  async function drawKeys() {
    try {
      const { keys: all } = await ask("GET", "/v1/keys");
      const row = (one) => h("tr", {}, h("td", {}, one.name, " ", h("span", { class: "fine mono" }, one.id)), h("td", {}, Object.entries(one.grants).map(([to, scope]) => `${to}:${scope}`).join(", ")), h("td", { class: "num" }, `${one.rate}/s`), h("td", {}, moment(one.created_at)),
        h("td", {}, one.revoked_at ? h("span", { class: "chip bad" }, "revoked") : h("button", { class: "quiet", "aria-label": `Revoke ${one.name}`, onclick: () => revoke(one) }, "Revoke")));
      part(keys, "Keys", all.length ? region("Keys", h("table", {}, head("Key", "Grants", "#Rate", "Made", ""), h("tbody", {}, all.map(row))))
        : h("p", { class: "fine" }, "Without keys this server answers this machine only. Once there is one, a server asks for it from its next start."), keyForm());
    } catch (error) {
      part(keys, "Keys", error.status === 403 ? h("p", { class: "fine" }, "Looking after keys takes a key with *:admin.") : problem(error, drawKeys));
    }
  }

  return {
    update() {
      drawStatus();
      drawTasks();
      drawChecks();
      drawMoving();
      drawKeys();
    },
    leave: () => clearTimeout(timer),
  };
}
