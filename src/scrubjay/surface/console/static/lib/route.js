// The state of the console is its address: a view, and its parameters. It stands behind the `#`, so
// that a question is never sent to a server, or written to its log, as part of an address.

/** What the address says. */
export function here() {
  const [view, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: view || "ask", params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view; parameters that say nothing are left out. */
export function link(view, params) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Where the memories are that name an entity; a name of digits would be taken for a number. */
export const naming = (bank, name) => (/^[0-9]+$/.test(name) ? link("entities", { bank, text: name }) : link("memories", { bank, entity: name }));

/** Goes there; `replace` leaves no step to go back to. */
export function go(view, params, { replace = false } = {}) {
  const to = link(view, params);
  if (to === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  dispatchEvent(new Event("routed"));
}

/** Notes parameters in the address without showing the view anew. */
export function note(view, params) {
  history.replaceState(null, "", link(view, params));
}
