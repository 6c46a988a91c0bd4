// Small charts as SVG; each has its numbers as text too, for those who do not see it.

import { h, s } from "./dom.js";
import { day, hue, milliseconds, number, way } from "./words.js";

const WIDTH = 348;

const at = (iso) => new Date(iso).getTime();

/** A line from the oldest to the newest memory, the window of a question on it, and its `now`. */
export function timeline({ oldest, newest, window, now }) {
  const [from, to] = window ?? [null, null];
  const known = [oldest, newest, from, to, now].filter(Boolean).map(at);
  const first = Math.min(...known);
  const last = Math.max(...known, first + 3600e3);
  const pad = (last - first) * 0.03;
  const x = (time) => 4 + ((time - first + pad) / (last - first + 2 * pad)) * (WIDTH - 8);
  const begin = from ? x(at(from)) : 0;
  const end = to ? x(at(to)) : WIDTH;
  const told = window ? `The question asks about ${from ? day(from) : "any time"} to ${to ? day(to) : "any time"}` : "The question names no time";
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} 52`, role: "img", "aria-label": `${told}; memories from ${day(oldest)} to ${day(newest)}.` },
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: 26, y2: 26 }),
    s("rect", { class: "hue-semantic", x: x(at(oldest)), y: 23, width: Math.max(2, x(at(newest)) - x(at(oldest))), height: 6, rx: 3, fill: "var(--line-strong)" }),
    window && s("rect", { x: Math.min(begin, WIDTH - 3), y: 14, width: Math.max(3, end - begin), height: 24, rx: 3, fill: "var(--temporal)", "fill-opacity": 0.3, stroke: "var(--temporal)" }),
    s("line", { x1: x(at(now)), x2: x(at(now)), y1: 12, y2: 40, stroke: "var(--text)" }),
    s("text", { x: Math.min(x(at(now)), WIDTH - 14), y: 9, "text-anchor": "middle" }, "now"),
    s("text", { x: 0, y: 50 }, day(new Date(first).toISOString())),
    s("text", { x: WIDTH, y: 50, "text-anchor": "end" }, day(new Date(last).toISOString())));
}

/** What took how long: stages in order, the searches under the stage that ran them. */
export function gantt(timings, retrievers) {
  const stages = Object.keys(timings).filter((one) => !retrievers.includes(one));
  stages.sort((one, two) => timings[one].start_ms - timings[two].start_ms);
  const rows = stages.flatMap((stage) => [{ name: stage, ...timings[stage] },
    ...(stage === "retrieve" ? retrievers.filter((one) => timings[one]).map((one) => ({ name: one, search: true, ...timings[one] })) : [])]);
  const total = Math.max(...rows.map((row) => row.end_ms), 0.1);
  const [left, right, step] = [92, 62, 19];
  const x = (ms) => left + (ms / total) * (WIDTH - left - right);
  const drawn = rows.map((row, n) => [
    s("text", { x: row.search ? 14 : 0, y: n * step + 13 }, row.search ? way(row.name) : row.name),
    s("line", { x1: left, x2: WIDTH - right, y1: n * step + 9, y2: n * step + 9, stroke: "var(--line)" }),
    s("rect", { class: row.search ? hue(row.name, retrievers) : "hue-sign", x: x(row.start_ms), y: n * step + 4, width: Math.max(2, x(row.end_ms) - x(row.start_ms)), height: 10, rx: 2, fill: "var(--hue)" },
      s("title", {}, `${row.name}: from ${milliseconds(row.start_ms)} to ${milliseconds(row.end_ms)}, ${milliseconds(row.cpu_ms)} of processor`)),
    s("text", { x: WIDTH, y: n * step + 13, "text-anchor": "end" }, milliseconds(row.end_ms - row.start_ms)),
  ]);
  const said = rows.map((row) => `${row.name} ${milliseconds(row.end_ms - row.start_ms)}`).join(", ");
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${rows.length * step}`, role: "img", "aria-label": `Times: ${said}.` }, drawn);
}

/** A bar of shares; each is [class, size, what]. */
export function shares(parts, total) {
  return h("span", { class: "bar", role: "img", "aria-label": parts.map(([, size, what]) => `${what} ${size.toFixed(3)}`).join(", ") },
    parts.map(([kind, size, what]) => h("i", { class: kind, title: `${what}: ${size.toFixed(3)}`, style: { width: `${(Math.max(0, size) / total) * 100}%` } })));
}

const PALETTE = ["var(--semantic)", "var(--graph)", "var(--lexical)", "var(--temporal)", "var(--own1)", "var(--own2)", "var(--sign)", "var(--own3)"];

/** The colour of a type, by its place among a bank's types. */
export const typeColour = (type, types) => PALETTE[Math.max(0, types.indexOf(type)) % PALETTE.length];

/** Stacked columns over time; `picked(start, end)` is told of a brush, by mouse, finger or keys. */
export function histogram({ buckets, types, chosen, picked, height = 200 }) {
  const width = 1000;
  const floor = height - 2;
  const most = Math.max(1, ...buckets.map((one) => one.units));
  const step = width / buckets.length;
  const y = (units) => floor - (units / most) * (floor - 14);
  const columns = buckets.map((bucket, n) => {
    let base = 0;
    return types.filter((type) => bucket.types[type]).map((type) => {
      const [low, high] = [y(base), y(base + bucket.types[type])];
      base += bucket.types[type];
      return s("rect", { x: n * step + Math.min(1, step * 0.1), y: high, width: Math.max(0.8, step - Math.min(2, step * 0.2)), height: low - high, fill: typeColour(type, types) });
    });
  });
  const labels = [0, 0.5, 1].map((share) => buckets[Math.round(share * (buckets.length - 1))]).filter((one, n, all) => all.indexOf(one) === n);
  const brush = s("rect", { class: "brush", y: 0, height: floor });
  const mark = (first, last) => {
    brush.setAttribute("x", Math.min(first, last) * step);
    brush.setAttribute("width", (Math.abs(last - first) + 1) * step);
  };
  const inside = chosen && buckets.map((one, n) => n).filter((n) => at(buckets[n].end) > at(chosen[0]) && at(buckets[n].start) < at(chosen[1]));
  if (inside?.length) mark(inside[0], inside.at(-1));
  else brush.setAttribute("width", 0);
  const hit = s("rect", { class: "hit", x: 0, y: 0, width, height });
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", tabindex: 0, role: "group", "aria-label": `${number(buckets.reduce((sum, one) => sum + one.units, 0))} memories in ${buckets.length} columns. Arrow keys choose a column, with Shift a range; Enter takes it.` },
    s("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }), columns, brush, hit);
  svg.style.height = `${height}px`;
  const where = (event) => {
    const box = svg.getBoundingClientRect();
    return Math.max(0, Math.min(buckets.length - 1, Math.floor(((event.clientX - box.left) / box.width) * buckets.length)));
  };
  let begun = null;
  let range = inside?.length ? [inside[0], inside.at(-1)] : null;
  const take = () => range && picked(buckets[Math.min(...range)].start, buckets[Math.max(...range)].end);
  hit.addEventListener("pointerdown", (event) => {
    begun = where(event);
    hit.setPointerCapture(event.pointerId);
    range = [begun, begun];
    mark(...range);
  });
  hit.addEventListener("pointermove", (event) => {
    if (begun === null) {
      const one = buckets[where(event)];
      hit.replaceChildren(s("title", {}, `${day(one.start)}: ${one.units}`));
      return;
    }
    range = [begun, where(event)];
    mark(...range);
  });
  hit.addEventListener("pointerup", () => {
    begun = null;
    take();
  });
  svg.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Enter") take();
    if (!move) return;
    event.preventDefault();
    const end = Math.max(0, Math.min(buckets.length - 1, (range ? range[1] : move > 0 ? -1 : buckets.length) + move));
    range = [event.shiftKey && range ? range[0] : end, end];
    mark(...range);
  });
  // Beside the drawing, whose columns are stretched to the width there is: text must not be.
  return h("div", { class: "histogram" }, svg, h("div", { class: "axis fine", "aria-hidden": "true" }, labels.map((one) => h("span", {}, day(one.start)))));
}
