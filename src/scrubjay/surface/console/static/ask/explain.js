// "Expected another memory?": finds it, and shows at which stage it fell out and what would let it through.

import { fill, h, told, problem, settled, walkable } from "../lib/dom.js";
import { shares } from "../lib/charts.js";
import { link } from "../lib/route.js";
import { hue, score, sign, STAGES, way } from "../lib/words.js";

const ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

/** The options that a change names ("limit=8 and max_tokens=600"), where asking with others is enough. */
function optionsIn(change) {
  const [first] = change.split(", or about ");
  const found = [...first.matchAll(/\b(limit|min_score|max_tokens)=([\d.]+)/g)].map(([, name, value]) => [name, value]);
  return found.length ? Object.fromEntries(found) : null;
}

/** What would have let it through: words, and the options that do it, where options can. */
function remedy(explained, unit, recall) {
  const rank = /^rank (\d+)/.exec(explained.reason);
  const change = explained.change ?? (explained.step === "limit" && rank ? `limit=${rank[1]}` : null);
  if (change) return [`${change}.`, optionsIn(change)];
  if (explained.step === "scope") {
    if (unit.pending) return ["It is pending. Approve it in Review.", null];
    if (unit.superseded_by || unit.valid_to) return ["It has ended. Ask as of a time when it held.", { as_of: unit.told_at }];
    return ["Fewer filters: types, tags, window, as of and known at decide what is searched.", { types: "", tags: "", from: "", to: "", as_of: "", known_at: "" }];
  }
  if (explained.step === "retrieve") {
    const off = recall.plan.retrievers.filter((one) => !one.run).map((one) => way(one.retriever));
    return [`No search found it${off.length ? `; ${off.join(" and ")} did not run` : ""}. A word that stands in it, a name, or its time in the question would.`, null];
  }
  return null;
}

/** What its score is made of, beside that of the memory it is compared with. */
function sums(explained, unit, bank) {
  const own = explained.contributions ?? {};
  const names = Object.keys(explained.retrievers);
  if (!Object.keys(own).length) return null;
  const { rival } = explained;
  const positive = (parts) => Object.entries(parts).filter(([, amount]) => amount > 0);
  const sum = (parts) => positive(parts).reduce((total, [, amount]) => total + amount, 0);
  const total = Math.max(sum(own), rival ? sum(rival.contributions) : 0, 1e-9);
  const bar = (parts) => shares(positive(parts).map(([name, amount]) => [names.includes(name) ? hue(name, names) : "hue-sign", amount, names.includes(name) ? way(name) : sign(name, unit)]), total);
  const all = [...new Set([...Object.keys(own), ...Object.keys(rival?.contributions ?? {})])];
  return h("div", { class: "stack sums" }, h("h3", {}, "What its score is made of"),
    h("div", { class: "weigh" }, bar(own), h("span", { class: "score" }, `${score(explained.score ?? sum(own))} this one`)),
    rival && h("div", { class: "weigh" }, bar(rival.contributions), h("span", { class: "score" }, `${score(rival.score)} `, h("a", { href: link("memories", { bank, id: rival.unit }) }, "the other"))),
    h("table", {}, h("tbody", {}, all.map((name) => h("tr", {}, h("td", {}, h("span", { class: `dot ${names.includes(name) ? hue(name, names) : "hue-sign"}` }), " ", names.includes(name) ? way(name) : name.replaceAll("_", " ")),
      h("td", { class: "num" }, score(own[name] ?? 0)), rival && h("td", { class: "num" }, score(rival.contributions[name] ?? 0)))))));
}

function table(explained) {
  const names = Object.keys(explained.retrievers);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What each search made of it" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "Search"), h("th", { class: "num" }, "Rank"), h("th", { class: "num" }, "Score"), h("th", {}, "What happened"))),
    h("tbody", {}, names.map((name) => {
      const one = explained.retrievers[name];
      return h("tr", {}, h("td", {}, h("span", { class: `dot ${one.ran ? hue(name, names) : "hue-sign"}` }), " ", way(name)),
        h("td", { class: "num" }, one.rank ? `#${one.rank}` : "–"), h("td", { class: "num" }, score(one.score)), h("td", {}, one.reason));
    }))));
}

function ladder(explained) {
  const fell = STAGES.findIndex(([name]) => name === explained.step);
  return h("ol", { class: "ladder" }, STAGES.map(([name, title, does], n) => {
    const kind = explained.returned || n < fell ? "" : n === fell ? "fell" : "beyond";
    return h("li", { class: kind, "data-stage": name }, h("span", {}, h("b", {}, title), " ", h("span", { class: "fine" }, does),
      kind === "fell" && h("span", { class: "reason" }, explained.reason)));
  }));
}

/** The panel; `choose(id)` notes the memory in the address, `again(options)` asks with other options. */
export function explainPanel({ api, bank, choose, again }) {
  const field = h("input", { type: "search", placeholder: "Words of the memory, or its id", "aria-label": "Find the memory you expected" });
  const picks = h("div", { class: "picks" });
  const result = h("div", { class: "stack" });
  let asked = 0;
  const look = settled(async () => {
    const text = field.value.trim();
    asked += 1;
    const mine = asked;
    if (!text) return void fill(picks);
    if (ID.test(text)) return void choose(text);
    try {
      // By meaning and words; what has ended may be what somebody misses.
      const { items } = await api.post("/recall", { question: text, limit: 8 });
      if (mine !== asked) return;
      fill(picks, items.length ? items.map((item) => h("button", { onclick: () => choose(item.id) }, item.text.slice(0, 160)))
        : h("p", { class: "fine" }, "No memory comes near these words. It may never have been told."));
    } catch (error) {
      fill(picks, problem(error));
    }
  }, 250);
  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && picks.firstChild?.focus) {
      event.preventDefault();
      picks.firstChild.focus();
    }
  });
  walkable(picks, "button");
  const node = h("section", { class: "card panel explain" }, h("h2", {}, "Expected another memory?"),
    h("p", { class: "fine" }, "Find it, and see where it fell out, by which number, and what would have let it through."), field, picks, result);
  let turn = 0;
  return {
    node,
    clear: () => fill(result),
    /** Explains a unit for a question that was asked. */
    async show(id, body, recall) {
      turn += 1;
      const mine = turn;
      fill(picks);
      try {
        const [explained, unit] = await Promise.all([api.post("/explain", { ...body, trace: undefined, unit: id }), api.get(`/memories/${id}`)]);
        if (mine !== turn) return;
        const way_out = explained.returned ? null : remedy(explained, unit, recall);
        fill(result, h("blockquote", { class: "fine" }, told(unit.text)),
          h("p", {}, explained.returned ? h("span", { class: "chip good" }, `It is in the answer, at rank ${explained.rank}`)
            : h("span", { class: "chip bad" }, `It fell out at “${STAGES.find(([name]) => name === explained.step)?.[1] ?? explained.step}”`)),
          ladder(explained),
          way_out && h("div", { class: "notice" }, h("strong", {}, "What would let it through. "), way_out[0],
            way_out[1] && h("p", {}, h("button", { onclick: () => again(way_out[1]) }, "Ask again so"))),
          table(explained), sums(explained, unit, bank));
        result.scrollIntoView({ block: "nearest" });
      } catch (error) {
        if (mine === turn) fill(result, problem(error));
      }
    },
  };
}
