// One memory, whole: what it says, when, who told it, what became of it; and what can be done with it.

import { dialog, fill, h, told, problem, toast } from "./dom.js";
import { link, naming } from "./route.js";
import { fromField, moment, number, plural, span, toField } from "./words.js";

const row = (name, ...said) => (said.every((one) => one === null || one === undefined || one === "" || one === false || (Array.isArray(one) && !one.length)) ? null : [h("dt", {}, name), h("dd", {}, said)]);
const joined = (nodes) => nodes.flatMap((one, n) => (n ? [" ", one] : [one]));

/** The state of a memory as chips. */
export const stateChips = (unit) => [
  unit.pending && h("span", { class: "chip warn" }, "pending"),
  unit.superseded_by && h("span", { class: "chip bad" }, "superseded"),
  unit.valid_to && !unit.superseded_by && h("span", { class: "chip bad" }, `ended ${moment(unit.valid_to)}`),
];

function fields(unit, bank) {
  return h("dl", { class: "facts" },
    row("Type", h("span", { class: "chip type" }, unit.type)),
    row("Told", moment(unit.told_at)),
    row("Happened", span(unit.occurred_start, unit.occurred_end)),
    row("True", span(unit.valid_from, unit.valid_to)),
    row("Closed", unit.closed_at && moment(unit.closed_at)),
    row("Told by", unit.author), row("Came from", unit.origin), row("Speaker", unit.speaker),
    row("Session", unit.session && h("a", { href: link("memories", { bank, session: unit.session }) }, unit.session)),
    row("Names", joined(unit.entities.map((name) => h("a", { class: "chip", href: naming(bank, name) }, name)))),
    row("Tags", joined(unit.tags.map((tag) => h("a", { class: "chip", href: link("memories", { bank, tag }) }, `#${tag}`)))),
    row("In short", unit.predicate), row("Context", unit.context), row("Key", unit.key && h("code", {}, unit.key)),
    row("Cut from", unit.source && `${unit.source.document}, characters ${number(unit.source.start)} to ${number(unit.source.end)}`),
    row("Metadata", Object.keys(unit.metadata).length ? h("pre", {}, JSON.stringify(unit.metadata, null, 2)) : null),
    row("Kept", moment(unit.created_at)), row("Tokens", number(unit.tokens)),
    row("Id", h("code", {}, unit.id)));
}

async function linked(api, bank, unit) {
  const { links } = await api.get(`/memories/${unit.id}/links`);
  if (!links.length) return null;
  const ids = [...new Set(links.slice(0, 40).map((one) => (one.source === unit.id ? one.target : one.source)))];
  const { units } = await api.get("/memories", { id: ids, limit: 100 });
  const text = Object.fromEntries(units.map((one) => [one.id, one.text]));
  return h("section", { class: "stack" }, h("h3", {}, "Linked"), h("ul", { class: "stack" }, links.slice(0, 40).map((one) => {
    const other = one.source === unit.id ? one.target : one.source;
    return h("li", {}, h("span", { class: "chip" }, one.kind.replaceAll("_", " ")), " ", h("span", { class: "fine" }, one.weight.toFixed(2)), " ",
      h("a", { class: "told", dir: "auto", href: link("memories", { bank, id: other }) }, (text[other] ?? other).slice(0, 140)));
  })));
}

async function history(api, bank, unit) {
  if (!unit.supersedes && !unit.superseded_by) return null;
  const { units } = await api.get(`/memories/${unit.id}/history`);
  return h("section", { class: "stack" }, h("h3", {}, "History"), h("ol", { class: "chain" }, units.map((one) => h("li", { class: one.id === unit.id ? "now" : "" },
    h("div", { class: "fine" }, moment(one.told_at), " ", stateChips(one)),
    one.id === unit.id ? h("span", { class: "told", dir: "auto" }, one.text.slice(0, 300)) : h("a", { class: "told", dir: "auto", href: link("memories", { bank, id: one.id }) }, one.text.slice(0, 300))))));
}

function textForm(title, unit, note, save, more = null) {
  const text = h("textarea", { name: "text", required: true, "aria-label": "Text" });
  text.value = unit.text;
  const said = h("div", {});
  const form = h("form", { class: "edit", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await save(text.value);
      box.close();
    } catch (error) {
      fill(said, problem(error));
    }
  } }, h("p", { class: "fine" }, note), text, more, said,
  h("div", { class: "actions" }, h("button", { type: "button", onclick: () => box.close() }, "Cancel"), h("button", { class: "primary", type: "submit" }, title)));
  const box = dialog(title, form);
  text.focus();
}

const EDITED = ["text", "type", "tags", "valid_to"];

/** Throws when somebody changed a memory since it was shown: their words would be lost. */
async function unchanged(api, unit) {
  const now = await api.get(`/memories/${unit.id}`);
  const said = (one) => JSON.stringify(EDITED.map((name) => (name === "valid_to" ? toField(one[name]) : one[name])));
  if (said(now) === said(unit)) return;
  throw Object.assign(new Error("changed"), { title: "Changed meanwhile", detail: `Somebody changed it since you saw it; it says now: “${now.text.slice(0, 200)}”`, remedy: "Copy your words, close this, and look at it again." });
}

/** Asks for a change of the text, type, tags and times. */
function edit(api, unit, card, done) {
  const type = h("select", { "aria-label": "Type" }, card.settings.types.map((one) => h("option", { value: one, selected: one === unit.type }, one)));
  const tags = h("input", { value: unit.tags.join(", "), "aria-label": "Tags" });
  const until = h("input", { type: "datetime-local", value: toField(unit.valid_to), "aria-label": "True until" });
  const labelled = (name, input) => h("label", { class: "field" }, name, input);
  textForm("Edit", unit, "Changed in place: its id stays, its words and vector are made anew. Right afterwards it can be undone; later nothing knows what it said before. To keep that, supersede it.", async (text) => {
    const changes = {};
    if (text !== unit.text) changes.text = text;
    if (type.value !== unit.type) changes.type = type.value;
    const list = tags.value.split(",").map((one) => one.trim()).filter(Boolean);
    if (list.join() !== unit.tags.join()) changes.tags = list;
    if (until.value !== toField(unit.valid_to)) changes.valid_to = fromField(until.value) || null;
    await unchanged(api, unit);
    if (Object.keys(changes).length) await api.patch(`/memories/${unit.id}`, changes);
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, unit[name]]));
    toast("Changed.", { label: "Undo", run: async () => {
      try {
        await unchanged(api, { ...unit, ...changes });
        await api.patch(`/memories/${unit.id}`, before);
        toast("It says again what it said.");
      } catch (error) {
        toast(`${error.detail} ${error.remedy}`);
      }
      done(unit.id);
    } });
    done(unit.id);
  }, h("div", { class: "options" }, labelled("Type", type), labelled("Tags, with commas", tags), labelled("True until", until)));
}

function supersede(api, unit, done) {
  textForm("Supersede", unit, "The new text holds from now on. The old memory stays, is held back from answers about the present, and comes when the past is asked for.", async (text) => {
    const made = await api.post("/supersede", { old: unit.id, new: text });
    toast("Superseded.", { label: "Undo", run: async () => {
      await restore(api, unit.id, done);
    } });
    done(made.id);
  });
}

/** Lets a superseded memory hold again. */
export async function restore(api, id, done) {
  try {
    await api.post("/supersede/undo", { unit: id });
    toast("It holds again; the newer memory stays too.");
    done(id);
  } catch (error) {
    toast(`${error.detail} ${error.remedy}`);
  }
}

const REMOVED = [["units", "unit"], ["vectors", "vector"], ["words", "word"], ["links", "link"], ["mentions", "mention"], ["entities", "entity"], ["relations", "relation"], ["sessions", "session"]];

/** What an erasure removed, in words. */
export function erasure(report) {
  return h("div", { class: "stack" }, h("p", {}, h("span", { class: "chip good" }, "Erased"), " ", REMOVED.filter(([many]) => report[many]).map(([many, one]) => plural(report[many], one, many)).join(", "), "."),
    h("p", { class: "fine" }, report.compacted ? "The files were rewritten: no byte of it is left on disk." : report.pending ?? "It is gone from every table and index; `compact` also rewrites the files."),
    report.left_closed?.length > 0 && h("p", { class: "fine" }, `${plural(report.left_closed.length, "memory", "memories")} that it replaced stay ended.`));
}

function forget(api, unit, done) {
  const compact = h("input", { type: "checkbox", id: "compact" });
  const body = h("div", { class: "stack" });
  const box = dialog("Forget", body);
  fill(body, h("blockquote", {}, told(unit.text.slice(0, 400))),
    h("p", {}, "It is erased from every table and index, and cannot come back."),
    h("label", { class: "row" }, compact, "Also rewrite the files, so that no byte of it is left on disk"),
    h("div", { class: "actions" }, h("button", { onclick: () => box.close() }, "Cancel"), h("button", { class: "danger sure", onclick: async () => {
      try {
        const report = await api.post("/forget", { ids: [unit.id], compact: compact.checked });
        fill(body, erasure(report), h("div", { class: "actions" }, h("button", { class: "primary", onclick: () => box.close() }, "Close")));
        done(null);
      } catch (error) {
        fill(body, problem(error));
      }
    } }, "Forget for good")));
}

/** Shows a memory in a node; `done(id)` is told after a change, with null when it is gone. */
export async function showMemory(node, id, { api, bank, card, may, done, close }) {
  try {
    const unit = await api.get(`/memories/${id}`);
    const extra = h("div", { class: "stack" });
    fill(node, h("div", { class: "panel" },
      h("header", {}, h("h2", {}, "Memory"), h("span", { class: "row" }, stateChips(unit), close && h("button", { class: "quiet icon", "aria-label": "Close", onclick: close }, "×"))),
      h("blockquote", { class: "said" }, told(unit.text)),
      may("write") && h("div", { class: "row" },
        h("button", { onclick: () => edit(api, unit, card, done) }, "Edit"),
        !unit.superseded_by && !unit.pending && h("button", { onclick: () => supersede(api, unit, done) }, "Supersede"),
        unit.superseded_by && h("button", { onclick: () => restore(api, unit.id, done) }, "Let it hold again"),
        h("a", { class: "button", href: link("neighbourhood", { bank, unit: unit.id }) }, "Neighbourhood"),
        h("button", { class: "danger", onclick: () => forget(api, unit, done) }, "Forget")),
      fields(unit, bank), extra));
    for (const part of [history, linked]) {
      part(api, bank, unit).then((made) => made && extra.append(made), () => {});
    }
  } catch (error) {
    fill(node, h("div", { class: "panel" }, problem(error)));
  }
}
