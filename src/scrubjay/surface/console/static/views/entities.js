// Entities: who and what memories name; merged, split and given other names, each seen before it is done.

import { dialog, empty, fill, h, problem, settled, toast, walkable } from "../lib/dom.js";
import { go, link, note } from "../lib/route.js";
import { day, number, plural, span } from "../lib/words.js";
import { histogram } from "../lib/charts.js";
import { virtualList } from "../lib/virtual.js";

const named = (one) => `${one.name}${one.kind ? ` (${one.kind})` : ""}`;

export function mount(page, { bank, api, card, may }) {
  let params = {};
  let shown = null;
  const count = h("span", { class: "fine", role: "status" });
  const detail = h("aside", { class: "detail card", "aria-label": "The chosen entity" });
  const list = virtualList({
    label: "Entities",
    fetchPage: async (offset, limit) => {
      const got = await api.get("/entities", { containing: params.text, offset, limit });
      return { rows: got.entities, total: got.total };
    },
    draw: (one) => [h("div", { class: "line", dir: "auto" }, one.name), h("div", { class: "fine" }, [one.kind, plural(one.mentions, "mention"), one.aliases.slice(0, 6).join(", ")].filter(Boolean).join(" · "))],
    choose: (one) => change({ id: one.id }),
  });
  const text = h("input", { type: "search", "data-slash": true, placeholder: "A name, or part of it…", "aria-label": "Name", oninput: settled(() => {
    params = { ...params, text: text.value };
    note("entities", { bank, ...params });
    update({ bank, ...params });
  }, 150) });
  const split = h("div", { class: "split" }, h("div", { class: "list stack" }, list.node), detail);
  fill(page, h("div", { class: "head" }, h("h1", {}, "Entities"), count), h("div", { class: "card filters" }, text), split);
  const change = (more) => go("entities", { bank, ...params, ...more });

  function reload() {
    list.reset((total) => {
      count.textContent = plural(total, "entity", "entities");
    }, (error) => fill(detail, h("div", { class: "panel" }, problem(error))));
  }

  /** What a change would do, and the button that does it. */
  async function preview(box, path, sent, done) {
    const seen = await api.post(`${path}/preview`, sent);
    const side = (title, all) => h("div", { class: "side" }, h("h3", {}, title), all.map((one) => h("div", {}, h("strong", {}, named(one)), h("div", { class: "fine" }, `${plural(one.mentions, "mention")} · ${one.aliases.slice(0, 8).join(", ")}`))));
    fill(box, h("div", { class: "pair" }, side("Before", seen.before), h("span", { class: "arrow", "aria-hidden": "true" }, "→"), side("After", seen.after)),
      h("p", { class: "fine" }, `${plural(seen.mentions, "mention")} and ${plural(seen.relations, "relation")} move.`),
      seen.also.length > 0 && h("p", { class: "notice" }, h("strong", {}, "Also answer to such a name: "), seen.also.map(named).join(", ")),
      h("div", { class: "actions" }, h("button", { class: "primary", onclick: async (event) => {
        event.target.disabled = true;
        try {
          const made = await api.post(path, sent);
          box.closest("dialog").close();
          toast(done);
          reload();
          if (String(made.id) === params.id) drawDetail();
          else change({ id: made.id });
        } catch (error) {
          fill(box, problem(error));
        }
      } }, "Do it")));
  }

  /** A dialog whose form leads to a preview. */
  function ask(title, said, inputs, look) {
    const box = h("div", { class: "stack" });
    dialog(title, h("p", { class: "fine" }, said), h("form", { onsubmit: async (event) => {
      event.preventDefault();
      try {
        await look(box);
      } catch (error) {
        fill(box, problem(error));
      }
    } }, inputs, h("div", { class: "actions" }, h("button", { type: "submit" }, "Preview"))), box);
  }

  function alias(entity) {
    const field = h("input", { required: true, id: "alias" });
    ask("Give another name", `“${entity.name}” will answer to it too.`, h("label", { class: "field" }, "Another name", field),
      (box) => preview(box, `/entities/${entity.id}/alias`, { alias: field.value }, "Named."));
    field.focus();
  }

  function merge(entity) {
    const choice = h("select", { required: true, size: 6, "aria-label": "The other entity" });
    const field = h("input", { type: "search", placeholder: "Its name…", "aria-label": "Look for the other entity" });
    const look = async () => {
      const { entities } = await api.get("/entities", { containing: field.value, limit: 20 });
      const picked = choice.value; // an answer that comes late takes no choice away
      fill(choice, entities.filter((one) => one.id !== entity.id).map((one) => h("option", { value: one.id }, `${named(one)} · ${number(one.mentions)}`)));
      choice.value = picked;
    };
    field.addEventListener("input", settled(look, 150));
    look();
    ask("Merge", `Which one is the same as “${entity.name}”? It is dropped, and its names become names of this one.`, [field, choice],
      (box) => preview(box, "/entities/merge", { keep: entity.id, drop: Number(choice.value) }, "Merged."));
    field.focus();
  }

  async function divide(entity) {
    const { units } = await api.get("/memories", { entity_id: entity.id, limit: 200, order: "-told" });
    const name = h("input", { required: true, id: "new-name" });
    const boxes = units.map((unit) => h("input", { type: "checkbox", value: unit.id }));
    const chosen = () => boxes.filter((one) => one.checked).map((one) => one.value);
    ask("Split", `Which memories are about somebody or something else called “${entity.name}”?`,
      [h("label", { class: "field" }, "Name of the new entity", name), h("div", { class: "picks" }, units.map((unit, n) => h("label", { class: "row" }, boxes[n], h("span", { class: "told grow", dir: "auto" }, unit.text.slice(0, 120)))))],
      (box) => preview(box, `/entities/${entity.id}/split`, { name: name.value, units: chosen() }, "Split."));
    name.focus();
  }

  async function drawDetail() {
    split.classList.toggle("open", Boolean(params.id));
    list.choose(params.id ? Number(params.id) : null);
    if (!params.id) return void fill(detail, empty("Choose an entity", "Its names, its timeline, how it stands to others, and the memories that name it are shown here."));
    const wanted = params.id;
    try {
      const [{ entity, relations, same_name: same }, told, { units, total }] = await Promise.all([api.get(`/entities/${wanted}`),
        api.get("/histogram", { entity_id: wanted }), api.get("/memories", { entity_id: wanted, limit: 20, order: "-told" })]);
      if (wanted !== params.id) return;
      const memories = h("ul", { class: "stack" }, units.map((unit) => h("li", {}, h("a", { class: "told", dir: "auto", href: link("memories", { bank, id: unit.id }) }, unit.text.slice(0, 200)), " ", h("span", { class: "fine" }, day(unit.told_at)))));
      walkable(memories, "a");
      fill(detail, h("div", { class: "panel" },
        h("header", {}, h("h2", {}, entity.name), h("span", { class: "row" }, h("span", { class: "chip" }, entity.kind), h("button", { class: "quiet icon", "aria-label": "Close", onclick: () => change({ id: "" }) }, "×"))),
        h("div", { class: "row" }, entity.aliases.map((one) => h("span", { class: "chip" }, one))),
        h("div", { class: "row" }, may("write") && [h("button", { onclick: () => alias(entity) }, "Another name"), h("button", { onclick: () => merge(entity) }, "Merge"), h("button", { onclick: () => divide(entity) }, "Split")],
          h("a", { class: "button", href: link("neighbourhood", { bank, entity: entity.id }) }, "Neighbourhood")),
        same.length > 0 && h("p", { class: "notice" }, h("strong", {}, "Shares a name with "), same.map((one) => h("a", { href: link("entities", { bank, id: one.id }) }, named(one))).flatMap((one, n) => (n ? [", ", one] : [one]))),
        told.buckets.length > 1 && [h("h3", {}, `Told, by ${told.grain}`), histogram({ buckets: told.buckets, types: card.settings.types, height: 90, picked: (from, to) => go("memories", { bank, entity_id: entity.id, told_from: from, told_to: to }) })],
        relations.length > 0 && [h("h3", {}, "Relations"), h("ul", { class: "stack" }, relations.map((one) => h("li", {}, sides(one, entity),
          span(one.valid_from, one.valid_to) && h("span", { class: "fine" }, ` ${span(one.valid_from, one.valid_to)}`))))],
        h("h3", {}, plural(total, "memory", "memories")), memories,
        total > units.length && h("a", { href: link("memories", { bank, entity_id: entity.id }) }, `All ${number(total)}`)));
    } catch (error) {
      fill(detail, h("div", { class: "panel" }, problem(error, drawDetail)));
    }
  }

  /** "Ravi reports-to Marta": the other one is where one can go. */
  function sides(one, entity) {
    const [self, other] = [h("strong", {}, entity.name), h("a", { href: link("entities", { bank, id: one.other }) }, one.other_name)];
    return one.forward ? [self, ` ${one.relation} `, other] : [other, ` ${one.relation} `, self];
  }

  function update(next) {
    const before = params.id;
    params = { ...next };
    delete params.bank;
    if (document.activeElement !== text) text.value = params.text ?? "";
    if (shown !== (params.text ?? "")) {
      shown = params.text ?? "";
      reload();
    }
    if (before !== params.id || !detail.firstChild) drawDetail();
  }
  return { update };
}
