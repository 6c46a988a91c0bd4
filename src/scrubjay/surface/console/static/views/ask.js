// Ask: a question, its answer, and why the answer is what it is.

import { empty, fill, h, problem, walkable } from "../lib/dom.js";
import { go, link, note } from "../lib/route.js";
import { day, hue, moment, plural, way } from "../lib/words.js";
import { fields, given, optionsOf } from "../ask/options.js";
import { itemCard } from "../ask/items.js";
import { notices, planned, reading, spent, summary } from "../ask/reading.js";
import { explainPanel } from "../ask/explain.js";
import { sideBySide } from "../ask/compare.js";
import { copyAs } from "../ask/copying.js";

const VERSUS = ["preset", "as_of", "now", "rerank"];

export function mount(page, { bank, card, api }) {
  let params = {};
  let asked = null; // the address whose answer is shown
  let answer = null;
  let stats = null;
  let running = null;
  const statsRead = api.get("/stats").then((read) => { stats = read; }).catch(() => {});

  const field = h("input", { type: "search", name: "q", "data-slash": true, placeholder: "Ask the memory…", "aria-label": "Question", autocomplete: "off", maxlength: 5000 });
  const chips = h("div", { class: "row" });
  const options = h("div", {});
  const form = h("form", { class: "card asking", role: "search", onsubmit: (event) => {
    event.preventDefault();
    change({ q: field.value.trim(), explain: "", open: "" });
  } }, h("div", { class: "question" }, field, h("button", { class: "primary", type: "submit" }, "Ask")), chips, options);
  const result = h("div", { class: "stack", "aria-live": "polite" });
  const explain = explainPanel({ api, bank, choose: (id) => change({ explain: id }), again: (more) => change(more) });
  fill(page, h("h1", { class: "fine", hidden: true }, "Ask"), form, result);

  function change(more) {
    go("ask", { bank, ...params, ...more });
  }

  function drawForm() {
    if (document.activeElement !== field) field.value = params.q ?? "";
    const open = params.options === "1";
    fill(chips,
      h("button", { class: "quiet", type: "button", "aria-expanded": String(open), onclick: () => change({ options: open ? "" : "1" }) }, open ? "▾ Options" : "▸ Options"),
      given(params).map(([name, label, value]) => h("button", { class: "chip on", type: "button", title: `Take ${label} away`, onclick: () => change({ [name]: "" }) },
        `${label} ${/^\d{4}-\d\d-\d\dT/.test(value) ? moment(value) : value} ×`)),
      h("span", { class: "grow" }),
      h("button", { class: "quiet", type: "button", disabled: !params.q, onclick: () => change(params.compare ? { compare: "", ...Object.fromEntries(VERSUS.map((one) => [`vs_${one}`, ""])) } : { compare: "1", vs_preset: params.preset === "recall5" ? "default" : "recall5" }) }, params.compare ? "Stop comparing" : "Compare"),
      h("button", { class: "quiet", type: "button", disabled: !params.q, onclick: () => copyAs(bank, { question: params.q, ...optionsOf(params) }) }, "Copy as…"));
    fill(options, open && fields(params, card, (name, value) => change({ [name]: value })), params.compare && versus());
  }

  function versus() {
    const other = Object.fromEntries(VERSUS.filter((one) => params[`vs_${one}`]).map((one) => [one, params[`vs_${one}`]]));
    const drawn = fields(other, card, (name, value) => change({ [`vs_${name}`]: value }));
    const labels = ["Preset", "As of (true then)", "Now is", "Cross-encoder"];
    for (const one of [...drawn.children]) if (!labels.includes(one.firstChild.textContent)) one.remove();
    return h("fieldset", {}, h("legend", { class: "fine" }, "Compared with"), drawn);
  }

  const body = (more) => ({ question: params.q, ...optionsOf({ ...params, ...more }), trace: true });
  const others = () => Object.fromEntries(VERSUS.map((one) => [one, params[`vs_${one}`] || (one === "preset" ? "" : params[one])]));

  function toggle(id) {
    params = { ...params, open: params.open === id ? "" : id };
    note("ask", { bank, ...params });
    draw();
    page.querySelector(`[data-id="${id}"]`)?.focus();
  }

  function draw() {
    if (!answer) return;
    const [recall, second] = answer;
    if (second) {
      const named = (set) => [set.preset || "default", set.as_of && `as of ${day(set.as_of)}`, set.now && `now ${day(set.now)}`, set.rerank && `rerank ${set.rerank}`].filter(Boolean).join(", ");
      fill(result, sideBySide(recall, second, [named(params), named(others())], { bank, toggle: (id) => go("memories", { bank, id }) }));
      return;
    }
    const all = recall.plan.retrievers.map((one) => one.retriever);
    const top = Math.max(...recall.items.map((item) => item.score), 0);
    const list = h("ol", { class: "items" }, recall.items.map((item, n) => itemCard(item, n + 1, { recall, bank, top, open: params.open === item.id, toggle })));
    walkable(list, ".item");
    fill(result, h("div", { class: "answer" },
      h("div", { class: "stack" }, notices(recall),
        h("div", { class: "row" }, h("strong", {}, summary(recall)), h("span", { class: "grow" }),
          h("div", { class: "legend" }, all.map((name) => h("span", {}, h("span", { class: `dot ${hue(name, all)}` }), way(name))), h("span", {}, h("span", { class: "dot hue-sign" }), "signs"))),
        recall.items.length ? list : empty("Nothing was found", "No search brought up a memory for this question and these filters.",
          "Take filters away, ask in other words, or find the memory you expected and see why it did not come.")),
      h("div", { class: "aside" }, reading(recall, stats, bank), planned(recall), spent(recall), explain.node)));
  }

  async function overview() {
    answer = null;
    asked = null;
    await statsRead;
    const { entities } = await api.get("/entities", { limit: 6 }).catch(() => ({ entities: [] }));
    if (params.q) return;
    const tries = [...entities.slice(0, 3).map((one) => `What do we know about ${one.name}?`), "What happened last week?"];
    fill(result, stats?.units ? empty("Ask, and see why the answer is what it is",
      `This bank holds ${plural(stats.units, "memory", "memories")}${stats.oldest_told_at ? `, told from ${day(stats.oldest_told_at)} to ${day(stats.newest_told_at)}` : ""}, and knows ${plural(stats.entities, "entity", "entities")}.`,
      h("div", { class: "row" }, tries.map((one) => h("a", { class: "button", href: link("ask", { bank, q: one }) }, one))),
      h("p", { class: "fine" }, "Press ", h("kbd", {}, "/"), " to ask, ", h("kbd", {}, "↓"), " to walk along the answers, ", h("kbd", {}, "Enter"), " to see why one came, ", h("kbd", {}, "?"), " for all keys."))
      : empty("This bank is empty", "Tell it something, and ask again:", h("pre", {}, `scrubjay retain --bank ${bank} "The spare key is with the neighbours."`)));
  }

  async function run() {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    result.classList.add("waiting");
    try {
      const two = params.compare ? [api.post("/recall", body(others()), signal)] : [];
      const got = await Promise.all([api.post("/recall", body(), signal), ...two, statsRead]);
      if (signal.aborted) return;
      answer = params.compare ? got.slice(0, 2) : [got[0], null];
      draw();
      explained();
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 401) {
        answer = null;
        fill(result, problem(error, run));
      }
    } finally {
      if (!signal.aborted) result.classList.remove("waiting");
    }
  }

  function explained() {
    if (!params.explain || !answer) explain.clear();
    else explain.show(params.explain, body(), answer[0]);
  }

  return {
    update(next) {
      const before = params;
      params = { ...next };
      delete params.bank;
      drawForm();
      if (!params.q) {
        overview();
        field.focus();
        return;
      }
      const question = JSON.stringify([body(), params.compare && others()]);
      if (question !== asked) {
        asked = question;
        run();
        return;
      }
      if (before.open !== params.open) draw();
      if (before.explain !== params.explain) explained();
    },
    leave: () => running?.abort(),
  };
}

