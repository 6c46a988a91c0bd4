// How a question is asked: what the address holds, the fields that change it, and what the API is sent.

import { h } from "../lib/dom.js";
import { fromField, toField } from "../lib/words.js";

export const PRESETS = ["default", "dense_fts", "polyant", "tempr", "hindsight", "recall5"];

/** The options of a recall, as the API takes them. */
export function optionsOf(params) {
  const list = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);
  const options = {};
  if (params.preset && params.preset !== "default") options.preset = params.preset;
  if (params.limit) options.limit = Number(params.limit);
  for (const name of ["now", "as_of", "known_at", "session"]) if (params[name]) options[name] = params[name];
  if (params.types) options.types = list(params.types);
  if (params.tags) options.tags = list(params.tags);
  if (params.from || params.to) options.window = [params.from || null, params.to || null];
  if (params.rerank) options.rerank = params.rerank === "yes";
  if (params.min_score) options.min_score = Number(params.min_score);
  if (params.max_tokens) options.max_tokens = Number(params.max_tokens);
  return options;
}

const NAMES = {
  preset: "preset", limit: "limit", now: "now", as_of: "as of", known_at: "known at", types: "types", tags: "tags", from: "from", to: "to",
  rerank: "rerank", min_score: "least relevance", max_tokens: "tokens", session: "session",
};

/** The options that are set, by name, for chips. */
export const given = (params) => Object.keys(NAMES).filter((name) => params[name]).map((name) => [name, NAMES[name], params[name]]);

/** The fields; `change(name, value)` is told of each. */
export function fields(params, card, change) {
  const set = (name, read = (field) => field.value) => (event) => change(name, read(event.target));
  const field = (label, input) => h("label", { class: "field" }, label, input);
  const when = (name) => h("input", { type: "datetime-local", value: toField(params[name]), onchange: set(name, (one) => fromField(one.value)) });
  const choice = (name, options) => h("select", { onchange: set(name) }, options.map(([value, label]) => h("option", { value, selected: (params[name] ?? "") === value }, label)));
  const count = (name, hint) => h("input", { type: "number", min: 1, value: params[name] ?? "", placeholder: hint, onchange: set(name) });
  return h("div", { class: "options" },
    field("Preset", choice("preset", PRESETS.map((one) => [one === "default" ? "" : one, one]))),
    field("Limit", count("limit", "10")),
    field("Types", choice("types", [["", "any"], ...card.settings.types.map((one) => [one, one])])),
    field("Tags, with commas", h("input", { value: params.tags ?? "", onchange: set("tags") })),
    field("Happened or told from", when("from")), field("… to", when("to")),
    field("As of (true then)", when("as_of")), field("Known at", when("known_at")), field("Now is", when("now")),
    field("Cross-encoder", choice("rerank", [["", "as the preset does"], ["yes", "yes"], ["no", "no"]])),
    field("Least relevance", h("input", { type: "number", min: 0, max: 1, step: 0.05, value: params.min_score ?? "", placeholder: "none", onchange: set("min_score") })),
    field("Tokens", count("max_tokens", "4096")));
}
