// A list of any length: only what is in sight is in the page, and only its pages are asked for.

import { fill, h } from "./dom.js";

const ROW = 58;
const PAGE = 50;
const BEYOND = 12; // rows kept above and below what is in sight
const AT_ONCE = 8; // rows drawn in one frame, so that no task is long

/** `fetchPage(offset, limit)` resolves to {rows, total}; `draw(row)` gives what a row holds. */
export function virtualList({ label, fetchPage, draw, choose }) {
  const space = h("div", { class: "space" });
  const node = h("div", { class: "virtual card", tabindex: 0, role: "listbox", "aria-label": label }, space);
  let pages = new Map();
  let rows = new Map();
  let total = 0;
  let focus = -1;
  let chosen = null;
  let turn = 0;
  let failed = null;
  let asked = () => {};

  const rowAt = (n) => pages.get(Math.floor(n / PAGE))?.[n % PAGE];

  function load(page) {
    if (pages.has(page)) return;
    pages.set(page, undefined);
    const mine = turn;
    fetchPage(page * PAGE, PAGE).then((got) => {
      if (mine !== turn) return;
      pages.set(page, got.rows);
      // A listing that does not count its rows ends where a page is not full.
      total = got.total ?? Math.max(got.rows.length < PAGE ? 0 : total, page * PAGE + got.rows.length + (got.rows.length < PAGE ? 0 : PAGE));
      for (const [n, one] of rows) if (Math.floor(n / PAGE) === page) {
        one.remove();
        rows.delete(n);
      }
      asked(total);
      paint();
    }, (error) => {
      if (mine !== turn) return;
      pages.delete(page);
      failed?.(error);
    });
  }

  function row(n) {
    const data = rowAt(n);
    const one = h("div", { class: data ? "vrow" : "vrow blank", role: "option", id: `row-${n}`, "aria-selected": String(Boolean(data && data.id === chosen)), "aria-posinset": n + 1, "aria-setsize": total, onclick: () => data && choose(data) },
      data ? draw(data) : h("div", { class: "line" }));
    one.style.top = `${n * ROW}px`;
    if (n === focus) one.setAttribute("aria-current", "true");
    return one;
  }

  /** Draws rows in sight, then those above and below; whether there are more than fit a frame. */
  function drawn() {
    space.style.height = `${total * ROW}px`;
    const top = Math.floor(node.scrollTop / ROW);
    const bottom = Math.ceil((node.scrollTop + node.clientHeight) / ROW);
    for (const [n, one] of rows) if (n < top - BEYOND || n >= Math.min(total, bottom + BEYOND)) {
      one.remove();
      rows.delete(n);
    }
    const added = document.createDocumentFragment();
    let room = AT_ONCE;
    for (const beyond of [0, BEYOND]) for (let n = Math.max(0, top - beyond); n < Math.min(total, bottom + beyond); n += 1) {
      load(Math.floor(n / PAGE));
      if (rows.has(n)) continue;
      if (room === 0) {
        space.append(added);
        return true;
      }
      room -= 1;
      const one = row(n);
      rows.set(n, one);
      added.append(one);
    }
    space.append(added);
    return false;
  }

  let later = 0;
  function paint() {
    cancelAnimationFrame(later);
    if (drawn()) later = requestAnimationFrame(paint);
  }

  function again() {
    fill(space);
    rows = new Map();
    paint();
  }

  /** Says which row is chosen and which one the keys are at. */
  function marked() {
    for (const [n, one] of rows) {
      one.setAttribute("aria-selected", String(chosen !== null && rowAt(n)?.id === chosen));
      if (n === focus) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  let waiting = false;
  node.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      paint();
    });
  }, { passive: true });
  node.addEventListener("keydown", (event) => {
    const page = Math.floor(node.clientHeight / ROW);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
    if (event.key === "Enter" && rowAt(focus)) choose(rowAt(focus));
    if (!step) return;
    event.preventDefault();
    focus = Math.max(0, Math.min(total - 1, focus + step));
    if (focus * ROW < node.scrollTop) node.scrollTop = focus * ROW;
    if ((focus + 1) * ROW > node.scrollTop + node.clientHeight) node.scrollTop = (focus + 1) * ROW - node.clientHeight;
    paint();
    marked();
    node.setAttribute("aria-activedescendant", `row-${focus}`);
  });
  new ResizeObserver(paint).observe(node);
  return {
    node,
    /** Starts anew; `counted(total)` is told how many there are. */
    reset(counted, onError) {
      turn += 1;
      pages = new Map();
      total = 0;
      focus = -1;
      asked = counted;
      failed = onError;
      node.scrollTop = 0;
      again();
      load(0);
    },
    choose(id) {
      if (chosen === id) return;
      chosen = id;
      marked();
    },
  };
}
