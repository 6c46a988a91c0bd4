// Review: what waits for a person: memories told as pending, and pairs of which one seems to change the other.

import { empty, fill, h, told, problem, toast, walkable } from "../lib/dom.js";
import { restore } from "../lib/memory.js";
import { link } from "../lib/route.js";
import { moment, percent, plural } from "../lib/words.js";

export function mount(page, { bank, api, may }) {
  const count = h("span", { class: "fine", role: "status" });
  const pending = h("ul", { class: "cards" });
  const pairs = h("ul", { class: "cards" });
  const trouble = h("div", {});
  walkable(page, ".cards .panel");
  fill(page, h("div", { class: "head" }, h("h1", {}, "Review"), count), trouble,
    h("section", { class: "stack", "aria-label": "Pending" }, h("h2", {}, "Told, and not yet believed"), pending),
    h("section", { class: "stack", "aria-label": "Conflicts" }, h("h2", {}, "Which of two holds?"), pairs));

  const whole = (unit) => [h("div", { class: "fine" }, [`told ${moment(unit.told_at)}`, unit.author && `by ${unit.author}`, unit.speaker && `said by ${unit.speaker}`, unit.origin && `from ${unit.origin}`, unit.session].filter(Boolean).join(" · ")),
    told(unit.text), h("div", { class: "row" }, h("span", { class: "chip type" }, unit.type), !unit.pending && h("a", { class: "fine", href: link("memories", { bank, id: unit.id }) }, "Open"))];

  /** A button that decides, once. */
  const decide = (label, kind, path, body, said, undo = null) => h("button", { class: kind, disabled: !may("write"), onclick: async (event) => {
    event.target.disabled = true;
    try {
      await api.post(path, body);
      toast(said, undo && { label: "Undo", run: undo });
      await load();
    } catch (error) {
      fill(trouble, problem(error));
      event.target.disabled = false;
    }
  } }, label);

  const waiting = (unit) => h("li", {}, h("article", { class: "card panel", tabindex: 0, "data-id": unit.id }, whole(unit),
    h("div", { class: "row" }, decide("Approve", "primary", "/pending/approve", { ids: [unit.id] }, "Approved: it is found from now on."),
      decide("Reject", "danger", "/pending/reject", { ids: [unit.id] }, "Rejected, and erased."))));

  const pair = ({ old, new: newer, confidence, reason }) => h("li", {}, h("article", { class: "card panel", tabindex: 0, "data-id": newer.id },
    h("div", { class: "pair" }, h("div", { class: "side" }, h("h3", {}, "Before"), whole(old)), h("span", { class: "arrow", "aria-hidden": "true" }, "→"), h("div", { class: "side" }, h("h3", {}, "Now"), whole(newer))),
    h("p", { class: "fine" }, `${reason} · ${percent(confidence)} sure`),
    h("div", { class: "row" }, decide("The newer replaces the older", "primary", "/conflicts/accept", { old: old.id, new: newer.id }, "Accepted: the older one is superseded.", () => restore(api, old.id, load)),
      decide("Both hold", "", "/conflicts/reject", { old: old.id, new: newer.id }, "Kept both; the pair is not proposed again."))));

  /** One part of the page; what goes wrong there leaves the other alone. */
  async function part(node, path, name, draw, nothing) {
    try {
      const got = await api.get(path, { limit: 100 });
      const rows = got[name];
      fill(node, rows.length ? rows.map(draw) : h("li", { class: "card" }, nothing));
      return got.total ?? rows.length;
    } catch (error) {
      fill(node, h("li", {}, problem(error, load)));
      return 0;
    }
  }

  async function load() {
    const [waits, open] = await Promise.all([
      part(pending, "/pending", "units", waiting, empty("Nothing is pending", "What is told with pending=True, or by those whom the bank's pending_from names, is kept here and left out of answers until somebody approves it.")),
      part(pairs, "/conflicts", "conflicts", pair, empty("No open conflict", "When a memory seems to change what an older one says, the pair is shown here. Nothing is closed or deleted until somebody decides.")),
    ]);
    count.textContent = `${plural(waits, "memory", "memories")} pending, ${plural(open, "open pair")}`;
  }
  load();
  return { update() {} };
}
