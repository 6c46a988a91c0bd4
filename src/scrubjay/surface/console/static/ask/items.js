// The answer: a card for each memory, with what gave it its place.

import { h, told } from "../lib/dom.js";
import { shares } from "../lib/charts.js";
import { link, naming } from "../lib/route.js";
import { ago, day, hue, moment, percent, score, sign, span, way } from "../lib/words.js";

const FIXED = new Set(["rerank", "recency", "temporal_boost", "fused", "signs", "updated_by"]);
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const fold = (word) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]s?$/, "");
const stem = (word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word);

/** The searches that found an item, in the order of the plan. */
export const foundBy = (why) => Object.keys(why).filter((name) => !FIXED.has(name) && why[name]?.rank);

/** A text with the words of the question marked. */
export function marked(text, terms) {
  if (!terms.length) return [text];
  const wanted = new Set(terms.flatMap((term) => [fold(term), stem(fold(term))]));
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0]);
    if (!wanted.has(word) && !wanted.has(stem(word))) continue;
    parts.push(text.slice(last, match.index), h("mark", {}, match[0]));
    last = match.index + match[0].length;
  }
  return [...parts, text.slice(last)];
}

/** What each search and sign added to an item's score: [name, amount, kind]. */
export function contributions(item, plan) {
  const { why } = item;
  const weight = Object.fromEntries(plan.retrievers.map((one) => [one.retriever, one.weight]));
  const raw = foundBy(why).map((name) => [name, (weight[name] ?? 1) * (plan.preset === "default" ? why[name].score : 1 / (60 + why[name].rank))]);
  const sum = raw.reduce((total, [, one]) => total + one, 0) || 1;
  // Scores are added as they stand in `default`, and a search gives something to what it did not find; elsewhere by
  // rank, whose constant is the preset's: there the shares are what can be told.
  const scale = plan.preset === "default" ? Math.min(1, why.fused / sum) : why.fused / sum;
  const rest = why.fused - sum * scale;
  return [...raw.map(([name, one]) => [name, one * scale, "search"]), ...(rest > 1e-4 ? [["rest", rest, "sign"]] : []),
    ...Object.entries(why.signs ?? {}).map(([name, one]) => [name, one, "sign"])];
}

function bar(item, plan, top) {
  const all = plan.retrievers.map((one) => one.retriever);
  const parts = contributions(item, plan).filter(([, amount]) => amount > 0)
    .map(([name, amount, kind]) => [kind === "search" ? hue(name, all) : "hue-sign", amount, kind === "search" ? way(name) : sign(name, item)]);
  const total = Math.max(top, parts.reduce((sum, [, amount]) => sum + amount, 0), 1e-9);
  return h("div", { class: "weigh" }, shares(parts, total),
    h("span", { class: "score", title: `Rank score ${item.score}` }, item.relevance === null || item.relevance === undefined ? score(item.score) : `${percent(item.relevance)} relevant`));
}

function dates(item, now) {
  const happened = span(item.occurred_start, item.occurred_end);
  return [happened && h("span", {}, `Happened ${happened}`), h("span", { title: moment(item.told_at) }, `Told ${day(item.told_at)} (${ago(item.told_at, now)})`)];
}

function signed(amount) {
  return h("b", { class: amount < 0 ? "minus" : "plus" }, `${amount < 0 ? "−" : "+"}${score(Math.abs(amount))}`);
}

function why(item, plan) {
  const all = plan.retrievers.map((one) => one.retriever);
  const searches = plan.retrievers.filter((one) => one.run);
  const lines = contributions(item, plan);
  const amount = Object.fromEntries(lines.map(([name, one]) => [name, one]));
  const reached = foundBy(item.why).filter((name) => item.why[name].path?.length);
  const factors = [["recency", "how recently it was told"], ["temporal_boost", "how close it is to the time asked for"]].filter(([name]) => item.why[name] !== undefined && item.why[name] !== null && item.why[name] !== 1);
  return h("div", { class: "why" },
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What each search said" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Found by"), h("th", { class: "num" }, "Rank"), h("th", { class: "num" }, "Score"), h("th", { class: "num" }, "Weight"), h("th", { class: "num" }, "Adds"))),
      h("tbody", {}, searches.map((one) => {
        const seen = item.why[one.retriever];
        return h("tr", {}, h("td", {}, h("span", { class: `dot ${hue(one.retriever, all)}` }), " ", way(one.retriever)),
          h("td", { class: "num" }, seen ? `#${seen.rank}` : "–"), h("td", { class: "num" }, seen ? score(seen.score) : "not found"),
          h("td", { class: "num" }, one.weight), h("td", { class: "num" }, amount[one.retriever] ? `+${score(amount[one.retriever])}` : ""));
      })))),
    h("ul", {}, lines.filter(([, , kind]) => kind === "sign").map(([name, value]) => h("li", {}, signed(value), h("span", {}, sign(name, item)))),
      factors.map(([name, said]) => h("li", {}, h("b", {}, `× ${item.why[name].toFixed(2)}`), h("span", {}, said))),
      item.why.rerank !== null && item.why.rerank !== undefined && h("li", {}, h("b", {}, score(item.why.rerank)), h("span", {}, "the cross-encoder, which read it with the question")),
      reached.map((name) => h("li", {}, h("b", {}, "via"), h("span", {}, item.why[name].path.join(" → "))))));
}

/** One card. `shown` has the recall, the bank, the top score, and what happens on a click. */
export function itemCard(item, rank, shown) {
  const { recall, bank, top, open, toggle, moved } = shown;
  const terms = item.why.lexical ? recall.parsed.terms : [];
  const card = h("li", {},
    h("article", { class: "item card", tabindex: 0, "data-id": item.id, "aria-label": `Rank ${rank}`, onkeydown: (event) => {
      if (event.key === "Enter" && event.target === event.currentTarget) toggle(item.id);
    } },
    h("span", { class: "rank" }, rank),
    h("div", { class: "body" },
      h("div", { class: "said", onclick: () => toggle(item.id) }, told(item.text, (part) => marked(part, terms))),
      moved,
      bar(item, recall.plan, top),
      h("div", { class: "meta" }, h("span", { class: "chip type" }, item.type), dates(item, recall.parsed.now),
        item.speaker && h("span", {}, `by ${item.speaker}`), item.session && h("span", {}, `in ${item.session}`),
        item.tags.map((tag) => h("span", { class: "chip" }, `#${tag}`)),
        item.entities.map((name) => h("a", { class: "chip", href: naming(bank, name) }, name))),
      item.why.updated_by && h("div", {}, h("a", { class: "chip warn", href: link("memories", { bank, id: item.why.updated_by }) }, "Updated by a newer memory →")),
      open && why(item, recall.plan),
      open && h("div", { class: "row" },
        h("a", { class: "button", href: link("memories", { bank, id: item.id }) }, "Open memory"),
        h("a", { class: "button", href: link("neighbourhood", { bank, unit: item.id, path: foundBy(item.why).flatMap((name) => item.why[name].path ?? []).join("|") }) }, "Neighbourhood"),
        h("span", { class: "fine mono" }, item.id)))));
  return card;
}
