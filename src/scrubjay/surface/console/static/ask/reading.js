// How the engine took a question: what it read in it, what it planned, and what took how long.

import { h } from "../lib/dom.js";
import { gantt, timeline } from "../lib/charts.js";
import { link } from "../lib/route.js";
import { hue, milliseconds, percent, plural, span, way } from "../lib/words.js";

/** The question with its time, names and excluded words told apart. */
function annotated(parsed) {
  const { question } = parsed;
  const spans = [];
  const find = (text, kind, title) => {
    const at = text ? question.toLowerCase().indexOf(text.toLowerCase()) : -1;
    if (at >= 0 && !spans.some((one) => at < one.end && at + text.length > one.at)) spans.push({ at, end: at + text.length, kind, title });
  };
  find(parsed.window_text, "hue-temporal", "a time");
  for (const one of parsed.entities) find(one.mention, "hue-graph", `stands for ${one.name}`);
  for (const term of parsed.terms) if (term.length > 2) find(term, "hue-lexical", "a word that is looked for");
  spans.sort((one, two) => one.at - two.at);
  const parts = [];
  let last = 0;
  for (const one of spans) {
    parts.push(question.slice(last, one.at), h("em", { class: one.kind, title: one.title }, question.slice(one.at, one.end)));
    last = one.end;
  }
  return h("p", { class: "read told", dir: "auto" }, parts, question.slice(last));
}

function facts(parsed, bank) {
  const rows = [];
  const when = parsed.window && span(...parsed.window);
  if (when) rows.push(["Time", [`“${parsed.window_text}” is ${when}`, h("span", { class: "fine" }, ` ${parsed.kind}, ${percent(parsed.confidence)} sure`)]]);
  for (const one of parsed.entities) {
    rows.push(["Name", [one.by_pronoun ? `“${one.mention}” refers to ` : one.mention === one.name ? "" : `“${one.mention}” is `,
      h("a", { href: link("entities", { bank, id: one.id }) }, one.name), h("span", { class: "fine" }, ` ${percent(one.confidence)} sure${one.candidates.length > 1 ? `, of ${one.candidates.length} candidates` : ""}`)]]);
  }
  if (parsed.none_of?.length) rows.push(["Without", parsed.none_of.join(", ")]);
  if (parsed.asks_for) rows.push(["Asks for", `a ${parsed.asks_for}`]);
  if (parsed.multi_hop) rows.push(["Takes", "more than one step from memory to memory"]);
  return rows.length ? h("dl", { class: "facts" }, rows.map(([name, said]) => [h("dt", {}, name), h("dd", {}, said)])) : null;
}

/** What was read in the question. */
export function reading(recall, stats, bank) {
  const { parsed } = recall;
  return h("section", { class: "card panel" }, h("h2", {}, "How the question was read"),
    annotated(parsed), facts(parsed, bank),
    stats?.oldest_told_at && timeline({ oldest: stats.oldest_told_at, newest: stats.newest_told_at, window: parsed.window, now: parsed.now }));
}

/** Which searches ran, how deep, and why. */
export function planned(recall) {
  const all = recall.plan.retrievers.map((one) => one.retriever);
  const found = recall.trace?.found ?? {};
  return h("section", { class: "card panel" }, h("h2", {}, "What was planned"),
    h("ul", { class: "stack" }, recall.plan.retrievers.map((one) => h("li", {},
      h("div", { class: "row" }, h("span", { class: `dot ${one.run ? hue(one.retriever, all) : "hue-sign"}` }), h("strong", {}, way(one.retriever)),
        h("span", { class: "grow" }), one.run ? found[one.retriever] !== undefined && h("span", { class: "chip" }, `${found[one.retriever]} found`) : h("span", { class: "fine" }, "not asked")),
      one.run && h("p", { class: "fine" }, `${one.method}, to depth ${one.depth}, weight ${one.weight}`),
      h("p", { class: "fine" }, one.reason)))),
    h("p", { class: "fine" }, recall.plan.type_hints.length ? `Types: ${recall.plan.type_hints.join(", ")}; ${recall.plan.hint_reason}.` : `Types: any; ${recall.plan.hint_reason}.`),
    h("p", { class: "fine" }, `${recall.plan.mode === "threads" ? "In threads" : "One after the other"}: ${recall.plan.mode_reason}.`));
}

/** What took how long. */
export function spent(recall) {
  const retrievers = recall.plan.retrievers.map((one) => one.retriever);
  const total = Math.max(...Object.values(recall.timings).map((one) => one.end_ms), 0);
  return h("section", { class: "card panel" }, h("header", {}, h("h2", {}, "What took how long"), h("span", { class: "fine" }, milliseconds(total))),
    gantt(recall.timings, retrievers));
}

/** What the reader should know before the items. */
export function notices(recall) {
  const said = [];
  if (recall.nothing_relevant) said.push(["Nothing relevant", recall.items.length ? "The bank was searched; what follows is probably not an answer." : "The bank was searched, and holds nothing that passes."]);
  for (const one of recall.degraded) said.push([`Without ${way(one.retriever)}`, one.reason]);
  if (recall.widened) said.push(["Widened", "Too little was found of the types that the question implies, so that all types were searched."]);
  return said.map(([title, text]) => h("p", { class: "notice" }, h("strong", {}, `${title}. `), text));
}

/** "7 of 12 found, 340 tokens". */
export const summary = (recall) => [plural(recall.items.length, "memory", "memories"), recall.trace?.fused > recall.items.length ? ` of ${recall.trace.fused} found` : "", `, ${recall.tokens} tokens`].join("");
