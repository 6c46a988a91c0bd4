// Makes elements. Every text goes in as a text node: nothing that was told is ever read as markup.

const SVG = document.getElementById("seed").namespaceURI;

function put(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(node, child);
    else node.append(child);
  }
}

/** An HTML element: attributes by name, `on…` as listeners, strings as text. */
export const h = (tag, props, ...children) => put(document.createElement(tag), props, children);

/** An SVG element. */
export const s = (tag, props, ...children) => put(document.createElementNS(SVG, tag), props, children);

/** Replaces what a node holds. */
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

/** Calls `work` once it was not called for so long; what was passed last counts. */
export function settled(work, ms) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), ms);
  };
}

/** What was told, as it was told: its own direction, its own lines; `make` may mark parts of it. */
export const told = (text, make = (whole) => [whole]) => h("span", { class: "told", dir: "auto" }, make(text));

/** Lets arrow keys walk along the elements that `select` finds inside a node. */
export function walkable(node, select) {
  node.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    const all = [...node.querySelectorAll(select)];
    const at = all.findIndex((one) => one.contains(document.activeElement));
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  });
}

/** A dialog that is gone when it is closed; focus goes back to where it was. */
export function dialog(title, ...body) {
  const before = document.activeElement;
  const box = h("dialog", { class: "dialog", "aria-label": title },
    h("header", {}, h("h2", {}, title),
      h("button", { class: "quiet icon", "aria-label": "Close", onclick: () => box.close() }, "×")),
    ...body);
  box.addEventListener("close", () => {
    box.remove();
    before?.focus?.();
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** A short message that goes away by itself; read out by screen readers. */
export function toast(text, action) {
  const place = document.getElementById("toasts");
  const one = h("div", { class: "toast" }, h("span", {}, text),
    action && h("button", { class: "quiet", onclick: () => {
      one.remove();
      action.run();
    } }, action.label));
  place.append(one);
  setTimeout(() => one.remove(), action ? 12000 : 5000);
}

/** What went wrong, and what to do. */
export function problem(error, again) {
  return h("div", { class: "problem", role: "alert" },
    h("strong", {}, error.title ?? "Something went wrong"),
    h("p", {}, error.detail ?? String(error.message ?? error)),
    error.remedy && !String(error.detail).includes(error.remedy) && h("p", { class: "remedy" }, error.remedy),
    error.requestId && h("p", { class: "fine" }, `Request ${error.requestId}`),
    again && h("button", { onclick: again }, "Try again"));
}

/** A place with nothing in it, and what would fill it. */
export const empty = (title, ...more) => h("div", { class: "empty" }, h("h3", {}, title), ...more.map((one) => (typeof one === "string" ? h("p", {}, one) : one)));
