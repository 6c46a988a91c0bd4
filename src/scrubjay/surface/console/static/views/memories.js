// Memories: all of them, by filters, and each one whole.

import { empty, fill, h, problem, settled } from "../lib/dom.js";
import { go, note } from "../lib/route.js";
import { day, fromField, plural, span, toField } from "../lib/words.js";
import { virtualList } from "../lib/virtual.js";
import { showMemory, stateChips } from "../lib/memory.js";

const FILTERS = ["text", "type", "tag", "session", "speaker", "author", "origin", "entity", "entity_id", "told_from", "told_to", "occurred_from", "occurred_to", "as_of", "known_at", "order"];
const ORDERS = [["", "Latest told first"], ["told", "Earliest told first"], ["-occurred", "Latest happened first"], ["occurred", "Earliest happened first"], ["newest", "Last kept first"], ["oldest", "First kept first"]];

const queryOf = (params) => ({ ...Object.fromEntries(FILTERS.map((name) => [name, params[name]])), order: params.order || "-told" });

export function mount(page, context) {
  const { bank, api, card } = context;
  let params = {};
  let shown = null; // the filters whose list is shown
  const count = h("span", { class: "fine", role: "status" });
  const trouble = h("div", {});
  const detail = h("aside", { class: "detail card", "aria-label": "The chosen memory" });
  const list = virtualList({
    label: "Memories",
    fetchPage: async (offset, limit) => {
      const got = await api.get("/memories", { ...queryOf(params), offset, limit });
      return { rows: got.units, total: got.total ?? offset + got.units.length };
    },
    draw: (unit) => [h("div", { class: "line", dir: "auto" }, unit.text.slice(0, 400)),
      h("div", { class: "fine" }, [unit.type, span(unit.occurred_start, unit.occurred_end) ? `happened ${span(unit.occurred_start, unit.occurred_end)}` : null, `told ${day(unit.told_at)}`, unit.speaker && `by ${unit.speaker}`, unit.session].filter(Boolean).join(" · "), " ", stateChips(unit))],
    choose: (unit) => change({ id: unit.id }),
  });
  const text = h("input", { type: "search", "data-slash": true, placeholder: "Words, as you type…", "aria-label": "Text", oninput: settled(() => change({ text: text.value }, true), 150) });
  const filters = h("div", { class: "options" });
  const split = h("div", { class: "split" }, h("div", { class: "list stack" }, list.node), detail);
  fill(page, h("div", { class: "head" }, h("h1", {}, "Memories"), count),
    h("div", { class: "card filters" }, text, filters), trouble, split);

  function change(more, quiet = false) {
    const next = { bank, ...params, ...more };
    if (!quiet) return go("memories", next);
    note("memories", next);
    update(next);
  }

  function drawFilters() {
    const named = (label, input) => h("label", { class: "field" }, label, input);
    const words = (name) => h("input", { value: params[name] ?? "", onchange: (event) => change({ [name]: event.target.value.trim() }) });
    const when = (name, hour = "00:00") => h("input", { type: "date", value: toField(params[name]).slice(0, 10), onchange: ({ target }) => change({ [name]: target.value && fromField(`${target.value}T${hour}`) }) });
    const choice = (name, options) => h("select", { onchange: (event) => change({ [name]: event.target.value }) }, options.map(([value, label]) => h("option", { value, selected: (params[name] ?? "") === value }, label)));
    fill(filters,
      named("Order", choice("order", ORDERS)),
      named("Type", choice("type", [["", "any"], ...card.settings.types.map((one) => [one, one])])),
      named("Entity", words("entity")), named("Tag", words("tag")), named("Session", words("session")), named("Speaker", words("speaker")),
      named("Author", words("author")), named("Origin", words("origin")),
      named("Told from", when("told_from")), named("Told to", when("told_to", "23:59")),
      named("Happened from", when("occurred_from")), named("Happened to", when("occurred_to", "23:59")),
      h("div", { class: "field" }, h("button", { class: "quiet", disabled: !FILTERS.some((name) => params[name]), onclick: () => change(Object.fromEntries(FILTERS.map((name) => [name, ""]))) }, "Take all filters away")));
  }

  function reload() {
    count.textContent = "…";
    fill(trouble);
    list.node.hidden = false;
    list.reset((total) => {
      count.textContent = plural(total, "memory", "memories");
      if (total) return;
      list.node.hidden = true;
      const filtered = FILTERS.some((name) => params[name] && name !== "order");
      fill(trouble, h("div", { class: "card" }, filtered ? empty("No memory passes these filters", "Every filter must hold. Take one away, or look for part of a word.")
        : empty("This bank is empty", "Tell it something:", h("pre", {}, `scrubjay retain --bank ${bank} "The spare key is with the neighbours."`))));
    }, (error) => {
      count.textContent = "";
      fill(trouble, problem(error, reload));
    });
  }

  function drawDetail() {
    split.classList.toggle("open", Boolean(params.id));
    list.choose(params.id ?? null);
    if (!params.id) {
      fill(detail, empty("Choose a memory", "Every field of it, what it is linked to, and what became of it is shown here."));
      return;
    }
    showMemory(detail, params.id, { ...context, close: () => change({ id: "" }), done: (id) => {
      reload();
      if (id === params.id) drawDetail();
      else change({ id: id ?? "" });
    } });
  }

  function update(next) {
    const before = params.id;
    params = { ...next };
    delete params.bank;
    const wanted = JSON.stringify(queryOf(params));
    if (document.activeElement !== text) text.value = params.text ?? "";
    if (wanted !== shown) {
      shown = wanted;
      drawFilters();
      reload();
    }
    if (before !== params.id || !detail.firstChild) drawDetail();
  }
  return { update };
}
