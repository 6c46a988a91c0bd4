// Sessions: conversations, newest first; and a feed of what is told and asked through this server, as it happens.

import { empty, fill, h, problem, settled } from "../lib/dom.js";
import { link, note } from "../lib/route.js";
import { ago, milliseconds, moment, plural } from "../lib/words.js";
import { virtualList } from "../lib/virtual.js";

const KEPT = 200;
// An event is called as its operation; what a person would say it did.
const WORDS = {
  retain: "told", extract: "told", recall: "asked", recall_batch: "asked", explain: "explained", update: "changed", supersede: "superseded", undo_supersede: "restored",
  forget: "forgot", delete: "forgot", link: "linked", relate: "related", approve: "approved", reject: "rejected", accept_conflict: "settled", reject_conflict: "settled",
  merge_entities: "merged", split_entity: "split", alias_entity: "named", start_session: "began", end_session: "ended", import: "imported", reembed: "re-embedded", compact: "compacted", doctor: "examined",
};

export function mount(page, { bank, api }) {
  let params = {};
  let shown = null;
  let source = null;
  const count = h("span", { class: "fine", role: "status" });
  const trouble = h("div", {});
  const list = virtualList({
    label: "Sessions",
    fetchPage: async (offset, limit) => {
      const got = await api.get("/sessions", { containing: params.text, newest: true, offset, limit });
      return { rows: got.sessions.map((one) => ({ ...one, id: one.name })), total: got.total };
    },
    draw: (one) => [h("div", { class: "line", dir: "auto" }, one.name), h("div", { class: "fine" }, `${plural(one.units, "memory", "memories")} · ${moment(one.started_at)} · ${one.ended_at ? "ended" : `last ${ago(one.last_at, new Date())}`}`)],
    choose: (one) => { location.hash = link("memories", { bank, session: one.name, order: "told" }); },
  });
  const text = h("input", { type: "search", "data-slash": true, placeholder: "A session's name…", "aria-label": "Session", oninput: settled(() => {
    note("sessions", { bank, text: text.value });
    update({ bank, text: text.value });
  }, 150) });
  const feed = h("ol", { class: "feed", tabindex: 0, "aria-label": "Live feed", "aria-live": "polite" });
  const state = h("span", { class: "chip" }, "connecting");
  const idle = h("div", {}, h("p", { class: "fine" }, "What programs tell and ask through this server appears here while it happens."));
  fill(page, h("div", { class: "head" }, h("h1", {}, "Sessions"), count), trouble, h("div", { class: "two" },
    h("section", { class: "stack", "aria-label": "Sessions" }, text, list.node),
    h("section", { class: "card panel", "aria-label": "Live" }, h("header", {}, h("h2", {}, "Live"), state), idle, feed)));

  function happened(event) {
    const said = JSON.parse(event.data);
    idle.hidden = true;
    const what = said.question ? h("a", { class: "told", dir: "auto", href: link("ask", { bank, q: said.question }) }, said.question)
      : h("span", {}, plural(said.units ?? said.ids?.length ?? 0, "memory", "memories"), " ", (said.ids ?? []).slice(0, 3).map((id) => [h("a", { class: "mono", href: link("memories", { bank, id }) }, id.slice(-6)), " "]));
    feed.prepend(h("li", { "data-kind": said.kind }, h("span", { class: "fine" }, new Date(said.at).toLocaleTimeString("en-GB")), h("span", { class: "chip" }, WORDS[said.kind] ?? said.kind), what, h("span", { class: "fine" }, said.ms === undefined ? "" : milliseconds(said.ms))));
    while (feed.childElementCount > KEPT) feed.lastChild.remove();
  }

  function listen() {
    source = new EventSource(api.url("/events"));
    source.onopen = () => fill(state, "listening");
    source.onerror = () => fill(state, source.readyState === EventSource.CLOSED ? "not available" : "connecting");
    source.onmessage = happened;
    for (const kind of Object.keys(WORDS)) source.addEventListener(kind, happened);
  }

  function update(next) {
    params = { ...next };
    delete params.bank;
    if (document.activeElement !== text) text.value = params.text ?? "";
    if (shown === (params.text ?? "")) return;
    shown = params.text ?? "";
    list.reset((total) => {
      count.textContent = total === undefined ? "" : plural(total, "session");
      list.node.hidden = !total;
      fill(trouble, total ? null : h("div", { class: "card" }, empty("No session", "Tell messages with a session, or log one with `scrubjay sessions start`.")));
    }, (error) => fill(trouble, problem(error)));
  }
  listen();
  return { update, leave: () => source?.close() };
}
