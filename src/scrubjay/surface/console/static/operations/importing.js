// Brings a file in: what is in it is shown first, then it is sent, and how far the server is with it is told.

import { fill, h, problem, settled } from "../lib/dom.js";
import { ask } from "../lib/api.js";
import { bytes, number, plural } from "../lib/words.js";

const FILE = "application/octet-stream";
// What `kind` of the route may be; left out, it is guessed.
export const KINDS = ["scrubjay", "claude-code", "codex", "chatgpt", "claude", "hindsight", "slack", "mcp-memory", "mem0", "markdown", "csv", "jsonl"];
const MAPPED = ["csv", "jsonl"];
const LOOK_AGAIN_MS = 300;

const counted = (all) => Object.entries(all).map(([what, count]) => `${number(count)} ${what}`).join(", ");

/** A form that imports into a bank; `begun` is called when the server has taken a file. */
export function importing(bank, may, begun) {
  const route = `/v1/banks/${encodeURIComponent(bank)}/import`;
  const file = h("input", { type: "file", "aria-label": "File to import" });
  const kind = h("select", { "aria-label": "Kind of file" }, h("option", { value: "" }, "guessed"), KINDS.map((one) => h("option", { value: one }, one)));
  const map = h("input", { placeholder: "text=note, speaker=by", "aria-label": "Columns", autocomplete: "off" });
  const columns = h("label", { class: "field", hidden: true }, "Columns, as FIELD=COLUMN", map);
  const seen = h("div", { class: "stack", "aria-live": "polite" });
  let turn = 0;

  const asked = (chosen, more) => ({ name: chosen.name.slice(-200), kind: kind.value, map: columns.hidden ? [] : map.value.split(",").map((one) => one.trim()).filter(Boolean), ...more });

  async function look() {
    const chosen = file.files[0];
    turn += 1;
    const mine = turn;
    columns.hidden = !MAPPED.includes(kind.value) && !/\.[ct]sv$/i.test(chosen?.name ?? "");
    if (!chosen) return void fill(seen);
    fill(seen, h("p", { class: "fine" }, "Looking through it…"));
    try {
      const got = await ask("POST", `${route}/preview`, { query: asked(chosen), body: chosen, raw: FILE });
      if (mine === turn) preview(chosen, got);
    } catch (error) {
      if (mine === turn) fill(seen, problem(error, look));
    }
  }

  function preview(chosen, got) {
    const bad = got.problems.length > 0;
    const send = h("button", { class: "primary", disabled: !may("write") || !got.units, onclick: () => bring(chosen, bad) }, bad ? `Import the rest into ${bank}` : `Import into ${bank}`);
    fill(seen, h("p", {}, h("strong", {}, `${plural(got.units, "memory", "memories")} (${got.kind}), ${bytes(chosen.size)}. `), counted(got.types)),
      Object.keys(got.skipped).length > 0 && h("p", { class: "fine" }, `Left out: ${counted(got.skipped)}.`),
      bad && h("div", { class: "notice" }, h("strong", {}, "Bad lines. "), h("ul", {}, got.problems.map((one) => h("li", {}, `${got.sessions && one.file !== chosen.name ? `${one.file}, ` : ""}line ${one.line}: ${one.reason}`)))),
      h("ol", { class: "stack" }, got.first.map((one) => h("li", { class: "told fine", dir: "auto" }, one))),
      h("p", { class: "fine" }, "Nothing was kept yet. What the bank knows already is recognised, and stored once."), send,
      !may("write") && h("p", { class: "fine" }, `To import takes a key with ${bank}:write.`));
  }

  async function bring(chosen, bad) {
    turn += 1;
    const mine = turn;
    fill(seen, h("p", { class: "fine" }, `Sending ${bytes(chosen.size)}…`));
    try {
      const task = await ask("POST", `${route}/file`, { query: asked(chosen, bad ? { keep_going: true } : {}), body: chosen, raw: FILE });
      file.value = "";
      begun();
      follow(task, mine);
    } catch (error) {
      if (mine === turn) fill(seen, problem(error, () => bring(chosen, bad)));
    }
  }

  /** Tells how far a task is until it has ended, or another file is chosen, or the view is left. */
  async function follow(task, mine) {
    if (mine !== turn || (task.state !== "waiting" && !seen.isConnected)) return;
    if (task.state === "done") {
      const { new: fresh, duplicates, updated } = task.result;
      begun();
      fill(seen, h("p", {}, h("span", { class: "chip good" }, "Imported"), ` ${number(fresh)} new, ${number(duplicates)} known already, ${number(updated)} changed.`));
      return;
    }
    if (task.state === "failed") {
      begun();
      fill(seen, problem({ ...task.problem, message: task.problem.detail }));
      return;
    }
    fill(seen, h("label", { class: "field" }, task.total ? `${number(task.done)} of ${number(task.total)} memories` : "Waiting for its turn…",
      h("progress", task.total ? { max: task.total, value: task.done } : {})));
    setTimeout(async () => {
      try {
        follow(await ask("GET", `/v1/tasks/${task.id}`), mine);
      } catch (error) {
        if (mine === turn) fill(seen, problem(error, () => follow(task, mine)));
      }
    }, LOOK_AGAIN_MS);
  }

  file.addEventListener("change", look);
  kind.addEventListener("change", look);
  map.addEventListener("input", settled(look, 400));
  return h("div", { class: "stack" }, h("label", { class: "field" }, "Import: see first what is in the file", file),
    h("div", { class: "row" }, h("label", { class: "field" }, "Kind", kind), columns), seen);
}
