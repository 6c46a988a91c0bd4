// Neighbourhood: what stands around one memory or entity, never the whole bank; the same picture every time.

import { empty, fill, h, problem, s, settled } from "../lib/dom.js";
import { go, link } from "../lib/route.js";
import { moment, plural } from "../lib/words.js";
import { typeColour } from "../lib/charts.js";

const WIDTH = 760;
const HEIGHT = 620;
const TURNS = 260;

/** Places for nodes: rings around the centre, then pushed apart and pulled along edges. No chance in it. */
function places(nodes, edges) {
  const index = new Map(nodes.map((node, n) => [node.id, n]));
  const rings = [0, 0, 0];
  const per = [0, 1, 2].map((distance) => nodes.filter((node) => Math.min(2, node.distance) === distance).length);
  const x = new Float64Array(nodes.length);
  const y = new Float64Array(nodes.length);
  nodes.forEach((node, n) => {
    const ring = Math.min(2, node.distance);
    const angle = (rings[ring] / Math.max(1, per[ring])) * 2 * Math.PI + ring * 0.5;
    rings[ring] += 1;
    x[n] = WIDTH / 2 + Math.cos(angle) * ring * 150;
    y[n] = HEIGHT / 2 + Math.sin(angle) * ring * 120;
  });
  const pairs = edges.map((edge) => [index.get(edge.source), index.get(edge.target), edge.strength ?? 1]).filter(([a, b]) => a !== undefined && b !== undefined);
  const room = Math.sqrt((WIDTH * HEIGHT) / (nodes.length + 4)) * 0.6;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const heat = 14 * (1 - turn / TURNS);
    const dx = new Float64Array(nodes.length);
    const dy = new Float64Array(nodes.length);
    for (let a = 0; a < nodes.length; a += 1) {
      for (let b = a + 1; b < nodes.length; b += 1) {
        const [across, down] = [x[a] - x[b] || 0.01 * (b - a), y[a] - y[b] || 0.01];
        const push = (room * room) / (across * across + down * down);
        dx[a] += across * push * 0.05;
        dy[a] += down * push * 0.05;
        dx[b] -= across * push * 0.05;
        dy[b] -= down * push * 0.05;
      }
    }
    for (const [a, b, strength] of pairs) {
      const [across, down] = [x[b] - x[a], y[b] - y[a]];
      const pull = ((Math.hypot(across, down) - room) / room) * 0.09 * (0.4 + strength);
      dx[a] += across * pull;
      dy[a] += down * pull;
      dx[b] -= across * pull;
      dy[b] -= down * pull;
    }
    for (let n = 1; n < nodes.length; n += 1) { // the centre stays
      const length = Math.hypot(dx[n], dy[n]) || 1;
      const step = Math.min(length, heat);
      x[n] = Math.max(70, Math.min(WIDTH - 70, x[n] + (dx[n] / length) * step));
      y[n] = Math.max(24, Math.min(HEIGHT - 24, y[n] + (dy[n] / length) * step));
    }
  }
  return nodes.map((_, n) => ({ x: x[n], y: y[n] }));
}

const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function mount(page, { bank, api, card }) {
  const { types } = card.settings;
  let params = {};
  const net = h("div", { class: "card panel" });
  const count = h("span", { class: "fine", role: "status" });
  const side = h("aside", { class: "card panel", "aria-label": "The chosen node" });
  const field = h("input", { type: "search", "data-slash": true, placeholder: "A name, or words of a memory…", "aria-label": "Centre" });
  const picks = h("div", { class: "picks" });
  field.addEventListener("input", settled(async () => {
    const text = field.value.trim();
    if (!text) return void fill(picks);
    const [{ entities }, { units }] = await Promise.all([api.get("/entities", { containing: text, limit: 5 }), api.get("/memories", { text, limit: 5 })]);
    fill(picks, entities.map((one) => h("button", { onclick: () => centre("e", String(one.id)) }, `${one.name} · ${plural(one.mentions, "mention")}`)),
      units.map((one) => h("button", { onclick: () => centre("u", one.id) }, shorten(one.text, 120))));
  }, 200));
  fill(page, h("div", { class: "head" }, h("h1", {}, "Neighbourhood"), count), h("div", { class: "card filters" }, field, picks), h("div", { class: "split around" }, net, side));

  function centre(kind, ref) {
    fill(picks);
    field.value = "";
    go("neighbourhood", { bank, [kind === "e" ? "entity" : "unit"]: ref, path: params.path });
  }

  function pick(node, edges, nodes) {
    const by = new Map(nodes.map((one) => [one.id, one]));
    const joined = edges.filter((edge) => edge.source === node.id || edge.target === node.id);
    fill(side, h("header", {}, h("h2", {}, node.kind === "unit" ? "Memory" : node.label), h("span", { class: "chip" }, node.type)),
      node.kind === "unit" && h("p", { class: "told", dir: "auto" }, node.label), node.told_at && h("p", { class: "fine" }, `told ${moment(node.told_at)}`),
      h("div", { class: "row" }, node.distance > 0 && h("button", { onclick: () => centre(node.id[0], node.ref) }, "Centre here"),
        h("a", { class: "button", href: node.kind === "unit" ? link("memories", { bank, id: node.ref }) : link("entities", { bank, id: node.ref }) }, "Open")),
      h("h3", {}, plural(joined.length, "edge")), h("ul", { class: "stack" }, joined.slice(0, 30).map((edge) => {
        const other = by.get(edge.source === node.id ? edge.target : edge.source);
        return h("li", {}, h("span", { class: "chip" }, edge.label ?? edge.kind), " ", h("span", { class: "told", dir: "auto" }, shorten(other?.label ?? "", 90)));
      })));
  }

  function draw({ nodes, edges, more }) {
    const walked = new Set((params.path ?? "").split("|").filter(Boolean));
    const at = places(nodes, edges);
    const where = new Map(nodes.map((node, n) => [node.id, at[n]]));
    const on = (node) => walked.has(node.label) || (node.distance === 0 && walked.size > 0);
    const onPath = new Set(nodes.filter(on).map((node) => node.id));
    count.textContent = `${plural(nodes.length, "node")}, ${plural(edges.length, "edge")}${more ? "; more stands next to it than is drawn" : ""}`;
    const lines = edges.filter((edge) => where.has(edge.source) && where.has(edge.target)).map((edge) => {
      const [a, b] = [where.get(edge.source), where.get(edge.target)];
      return s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, "stroke-width": 0.8 + 1.6 * (edge.strength ?? 0.5), "stroke-dasharray": edge.kind === "semantic" ? "3 4" : null, class: onPath.has(edge.source) && onPath.has(edge.target) ? "walked" : "" }, s("title", {}, edge.label ?? edge.kind));
    });
    const dots = nodes.map((node, n) => {
      const { x, y } = at[n];
      const group = s("g", { class: `node${node.distance === 0 ? " centre" : ""}${on(node) ? " walked" : ""}`, tabindex: 0, role: "button", "aria-label": `${node.kind}: ${shorten(node.label, 80)}`, "data-node": node.id,
        onclick: () => pick(node, edges, nodes), ondblclick: () => centre(node.id[0], node.ref), onkeydown: (event) => {
          if (event.key === "Enter" && !event.shiftKey) pick(node, edges, nodes);
          if (event.key === "Enter" && event.shiftKey) centre(node.id[0], node.ref);
        } },
      node.kind === "entity" ? s("rect", { x: x - 8, y: y - 8, width: 16, height: 16, rx: 5 }) : s("circle", { cx: x, cy: y, r: node.distance === 0 ? 9 : 6 }),
      (nodes.length <= 60 || node.distance < 2 || node.kind === "entity") && s("text", { x, y: y + 20, "text-anchor": "middle" }, shorten(node.label, node.kind === "entity" ? 26 : 30)), s("title", {}, node.label));
      group.style.setProperty("--hue", node.kind === "entity" ? "var(--graph)" : typeColour(node.type, types));
      return group;
    });
    fill(net, s("svg", { class: "net", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": "What stands around the centre" }, lines, dots),
      h("p", { class: "fine" }, "Squares are entities, circles memories by the colour of their type; dashed lines join what means nearly the same. Click to look, double-click (Shift+Enter) to walk there.", walked.size > 0 && " Red is the path that the last recall walked."));
    pick(nodes[0], edges, nodes);
  }

  return {
    async update(next) {
      params = { ...next };
      delete params.bank;
      if (!params.unit && !params.entity) {
        count.textContent = "";
        fill(side, h("p", { class: "fine" }, "At most 200 nodes are drawn, nearest first."));
        const { entities } = await api.get("/entities", { limit: 8 }).catch(() => ({ entities: [] }));
        fill(net, empty("Choose a centre", "Look for an entity or a memory above; or begin with one that is named often:",
          h("div", { class: "row" }, entities.map((one) => h("a", { class: "button", href: link("neighbourhood", { bank, entity: one.id }) }, one.name)))));
        return;
      }
      try {
        draw(await api.get("/neighbourhood", { unit: params.unit, entity: params.entity, limit: params.limit || 60 }));
      } catch (error) {
        fill(net, problem(error));
      }
    },
  };
}
