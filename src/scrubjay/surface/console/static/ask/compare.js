// Two answers side by side: what moved, by lines from place to place.

import { fill, h, s, walkable } from "../lib/dom.js";
import { itemCard } from "./items.js";
import { summary } from "./reading.js";

/** How an item's place changed from the first answer to the second. */
function moved(id, rank, others) {
  const before = others.indexOf(id) + 1;
  if (!before) return h("span", { class: "moved plus" }, "only here");
  if (before === rank) return h("span", { class: "moved fine" }, "same place");
  return h("span", { class: `moved ${before > rank ? "plus" : "minus"}` }, before > rank ? `▲ ${before - rank} from #${before}` : `▼ ${rank - before} from #${before}`);
}

/** The two columns and the lines between them. */
export function sideBySide(left, right, names, shown) {
  const ids = [left, right].map((recall) => recall.items.map((item) => item.id));
  const column = (recall, side) => h("div", {}, h("h2", {}, names[side], " ", h("span", { class: "fine" }, summary(recall))),
    h("ol", { class: "items" }, recall.items.length ? recall.items.map((item, n) => itemCard(item, n + 1, {
      ...shown, recall, open: false, top: Math.max(...recall.items.map((one) => one.score), 0),
      toggle: (id) => shown.toggle(id), moved: side === 1 ? moved(item.id, n + 1, ids[0]) : !ids[1].includes(item.id) && h("span", { class: "moved minus" }, "only here"),
    })) : h("li", { class: "fine" }, "Nothing was found.")));
  const lines = s("svg", { role: "img", "aria-label": "Lines from the place of a memory in the first answer to its place in the second" });
  const sides = h("div", { class: "sides" }, column(left, 0), lines, column(right, 1));
  const draw = () => {
    const box = lines.getBoundingClientRect();
    if (!box.height) return;
    const middle = (card) => {
      const one = card.getBoundingClientRect();
      return one.top + Math.min(one.height / 2, 40) - box.top;
    };
    const places = [0, 2].map((n) => Object.fromEntries([...sides.children[n].querySelectorAll("[data-id]")].map((card) => [card.dataset.id, middle(card)])));
    fill(lines, Object.keys(places[0]).filter((id) => id in places[1]).map((id) => {
      const [from, to] = [places[0][id], places[1][id]];
      const same = ids[0].indexOf(id) === ids[1].indexOf(id);
      const up = ids[1].indexOf(id) < ids[0].indexOf(id);
      return s("path", { d: `M2 ${from} C 36 ${from}, 36 ${to}, 70 ${to}`, fill: "none", stroke: same ? "var(--line-strong)" : up ? "var(--good)" : "var(--bad)", "stroke-width": same ? 1.5 : 2, "data-line": id });
    }));
  };
  new ResizeObserver(draw).observe(sides);
  walkable(sides, ".item");
  return sides;
}
