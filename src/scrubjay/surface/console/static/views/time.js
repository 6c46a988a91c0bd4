// Time: when memories were told, or happened; a window of them; and what was believed at a moment.

import { empty, fill, h, told, problem, settled } from "../lib/dom.js";
import { go, link } from "../lib/route.js";
import { day, moment, number, plural, span } from "../lib/words.js";
import { histogram, typeColour } from "../lib/charts.js";

const GRAINS = [["", "auto"], ["day", "day"], ["week", "week"], ["month", "month"], ["year", "year"]];

export function mount(page, { bank, api, card }) {
  const { types } = card.settings;
  let params = {};
  let drawn = null;
  let bounds = null; // of what was told: where the slider may go
  const chart = h("div", { class: "card panel" });
  const slider = h("div", { class: "card panel" });
  const list = h("div", { class: "stack" });
  const bar = h("div", { class: "row" });
  fill(page, h("div", { class: "head" }, h("h1", {}, "Time")), bar, chart, slider, list);

  /** What was believed at a moment: told by then, and true then. */
  const then = () => ({ as_of: params.as_of, known_at: params.as_of });
  const change = (more) => go("time", { bank, ...params, ...more });
  const tabs = (name, options, label) => h("div", { class: "tabs", role: "group", "aria-label": label }, options.map(([value, text]) => h("button", { "aria-pressed": String((params[name] ?? "") === value), onclick: () => change({ [name]: value }) }, text)));

  function drawBar() {
    fill(bar, tabs("by", [["", "Told"], ["occurred", "Happened"]], "Which time"), tabs("grain", GRAINS, "Grain"),
      params.from && h("button", { class: "chip on", onclick: () => change({ from: "", to: "" }) }, `${span(params.from, new Date(new Date(params.to) - 1).toISOString())} ×`),
      h("span", { class: "grow" }), h("div", { class: "legend" }, types.map((type) => {
        const dot = h("span", { class: "dot" });
        dot.style.setProperty("--hue", typeColour(type, types));
        return h("span", {}, dot, type);
      })));
  }

  async function drawChart() {
    try {
      const got = await api.get("/histogram", { by: params.by || "told", grain: params.grain || "auto", ...then() });
      fill(chart, got.buckets.length ? [histogram({ buckets: got.buckets, types, chosen: params.from && [params.from, params.to], picked: (from, to) => change({ from, to }) }),
        h("p", { class: "fine" }, `${plural(got.total, "memory", "memories")} by ${got.grain}${got.undated ? `, ${number(got.undated)} more without such a time` : ""}, in ${got.timezone}. Drag over columns to choose a window; Enter takes the one chosen by arrow keys.`)]
        : empty("No memory has such a time", params.as_of ? "Nothing was believed yet at that moment." : "Memories with a date in them happened then; all of them were told at some time."));
    } catch (error) {
      fill(chart, problem(error, drawChart));
    }
  }

  function drawSlider() {
    if (!bounds) return;
    const [first, last] = bounds;
    const at = params.as_of ? new Date(params.as_of).getTime() : last;
    const said = h("strong", {}, params.as_of ? moment(params.as_of) : "now");
    const when = (field) => new Date(Number(field.value)).toISOString();
    const field = h("input", { type: "range", min: first, max: last, step: Math.max(60000, Math.round((last - first) / 500)), value: at, "aria-label": "As of",
      oninput: () => { said.textContent = Number(field.value) >= last ? "now" : moment(when(field)); },
      onchange: settled(() => change({ as_of: Number(field.value) >= last ? "" : when(field) }), 60) });
    fill(slider, h("div", { class: "row" }, h("h2", {}, "What was believed"), said, h("span", { class: "grow" }), params.as_of && h("button", { class: "quiet", onclick: () => change({ as_of: "" }) }, "Back to now")),
      field, h("p", { class: "fine" }, "Memories that were told by that moment, and had not ended or been superseded then."));
  }

  async function drawList() {
    if (!params.from && !params.as_of) return void fill(list);
    const [from, to] = [params.from, params.to && new Date(new Date(params.to) - 1).toISOString()];
    const window = params.by === "occurred" ? { occurred_from: from, occurred_to: to, order: "occurred" } : { told_from: from, told_to: to, order: params.from ? "told" : "-told" };
    try {
      const got = await api.get("/memories", { ...window, ...then(), limit: 50 });
      fill(list, h("div", { class: "row" }, h("h2", {}, [params.from && `In ${span(from, to)}`, params.as_of && `as of ${day(params.as_of)}`].filter(Boolean).join(", ")), h("span", { class: "fine" }, plural(got.total, "memory", "memories")), h("span", { class: "grow" }),
        h("a", { class: "button", href: link("memories", { bank, ...window, ...then() }) }, "Open as a list"),
        params.from && h("a", { class: "button", href: link("ask", { bank, from, to, ...then(), options: "1" }) }, "Ask in this window")),
      got.units.length ? h("ul", { class: "cards" }, got.units.map((unit) => h("li", {}, h("a", { class: "card panel", href: link("memories", { bank, id: unit.id }) },
        h("span", { class: "fine" }, `${unit.type} · told ${moment(unit.told_at)}${span(unit.occurred_start, unit.occurred_end) ? ` · happened ${span(unit.occurred_start, unit.occurred_end)}` : ""}`), told(unit.text.slice(0, 600))))))
        : empty("Nothing in this window", "Choose another one in the chart, or another moment."));
    } catch (error) {
      fill(list, problem(error, drawList));
    }
  }

  return {
    async update(next) {
      params = { ...next };
      delete params.bank;
      drawBar();
      const wanted = JSON.stringify([params.by, params.grain, params.as_of, params.from]);
      if (wanted === drawn) return;
      drawn = wanted;
      if (!bounds) {
        const stats = await api.get("/stats").catch(() => null);
        if (stats?.oldest_told_at) bounds = [new Date(stats.oldest_told_at).getTime() - 60000, new Date(stats.newest_told_at).getTime() + 60000];
      }
      drawChart();
      drawSlider();
      drawList();
    },
  };
}
