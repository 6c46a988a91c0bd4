// The shell: which view is shown, over which bank, for whom.

import { dialog, empty, fill, h, problem, s, toast } from "./lib/dom.js";
import { ask, bankApi, noAnswer, onMissing, onUnauthorized } from "./lib/api.js";
import { go, here, link } from "./lib/route.js";
import { number, useZone } from "./lib/words.js";

const VIEWS = [
  ["ask", "Ask", "M10 3a7 7 0 1 0 4.2 12.6l4.1 4.1 1.4-1.4-4.1-4.1A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"],
  ["memories", "Memories", "M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z"],
  ["review", "Review", "M9.5 16.2 5.3 12l-1.4 1.4 5.6 5.6L21 7.5 19.6 6z"],
  ["time", "Time", "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm-1 2v6l5 3 1-1.7-4-2.3V7z"],
  ["entities", "Entities", "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 10c-4.4 0-8 2.2-8 5v1h16v-1c0-2.8-3.6-5-8-5z"],
  ["neighbourhood", "Neighbourhood", "M6 4a3 3 0 0 0-1 5.8v4.4a3 3 0 1 0 2 0V9.8A3 3 0 0 0 8.8 8h6.4a3 3 0 1 0 0-2H8.8A3 3 0 0 0 6 4zm11 10a3 3 0 1 0 .1 6 3 3 0 0 0-.1-6z"],
  ["sessions", "Sessions", "M4 4h16v12H9l-5 4zm2 2v9.8L8.3 14H18V6z"],
  ["operations", "Operations", "M4 13h4v7H4zm6-9h4v16h-4zm6 5h4v11h-4z"],
];

const root = document.getElementById("app");
const main = h("main", { id: "main", tabindex: "-1" });
const nav = h("nav", { "aria-label": "Views" });
const bankField = h("select", { id: "bank", "aria-label": "Bank", onchange: () => go(here().view, { bank: bankField.value }) });
const who = h("div", { class: "who" });
let banks = [];
let caller = { required: false, authenticated: false, grants: { "*": "admin" } };
let current = null; // what is shown: its view, bank and the module's own object
let turn = 0;

function icon(path) {
  return s("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true" }, s("path", { d: path, fill: "currentColor" }));
}

function shell() {
  const themeButton = h("button", { class: "quiet icon", "aria-label": "Switch between light and dark", title: "Light or dark", onclick: switchTheme },
    icon("M12 3a9 9 0 1 0 9 9c0-.5 0-.9-.1-1.4A5.4 5.4 0 0 1 12.4 3H12z"));
  const helpButton = h("button", { class: "quiet icon", "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)", onclick: help }, "?");
  fill(root,
    h("header", { class: "rail" },
      h("a", { class: "brand", href: "#/ask", "aria-label": "scrubjay" },
        h("img", { src: "console/jay.svg", alt: "", width: 26, height: 26 }), h("span", {}, "scrubjay")),
      h("div", { class: "bank" }, bankField),
      nav,
      h("div", { class: "foot" }, who, h("div", { class: "tools" }, themeButton, helpButton,
        h("a", { class: "quiet icon", href: "docs", title: "The API, described", "aria-label": "API description" }, "{ }")))),
    main,
    h("div", { id: "toasts", role: "status", "aria-live": "polite" }));
}

function switchTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
  try {
    localStorage.setItem("theme", dark ? "light" : "dark");
  } catch { /* a browser that keeps nothing shows the system's theme next time */ }
}

function setTheme(name) {
  if (name === "light" || name === "dark") document.documentElement.dataset.theme = name;
}

function help() {
  const keys = [
    ["/", "go to the question, or to the filter"], ["↑ ↓", "walk along a list (also k and j)"],
    ["Enter", "open what is focused"], ["Esc", "close a dialog, or leave a field"],
    ["1 – 8", "switch to a view"], ["?", "show this list"],
  ];
  dialog("Keyboard", h("dl", { class: "keys" }, keys.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
    h("p", { class: "fine" }, "Where you are is in the address: a link shows somebody else the same answer, if their key may read the bank."));
}

function keyboard(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing || document.querySelector("dialog[open]")) return;
  if (event.key === "?") help();
  else if (event.key === "/") {
    const field = main.querySelector("[data-slash]");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select?.();
  } else if (/^[1-8]$/.test(event.key)) go(VIEWS[Number(event.key) - 1][0], { bank: here().params.bank });
}

/** Whether the caller may do that in the bank that is shown. */
function may(scope) {
  const order = ["metrics", "read", "write", "admin"];
  if (!caller.required) return true;
  const bank = here().params.bank;
  return ["*", bank].some((one) => order.indexOf(caller.grants?.[one]) >= order.indexOf(scope));
}

function drawNav(view, bank) {
  fill(nav, VIEWS.map(([name, label, path], at) => h("a", {
    href: link(name, { bank }), "aria-current": name === view ? "page" : null, title: `${label} (${at + 1})`,
  }, icon(path), h("span", {}, label))));
  fill(bankField, banks.map((one) => h("option", { value: one.name, selected: one.name === bank }, `${one.name} · ${number(one.units)}`)));
  bankField.hidden = banks.length === 0;
  fill(who, caller.required && caller.authenticated && [h("span", { class: "fine", title: Object.entries(caller.grants).map(([one, scope]) => `${one}: ${scope}`).join(", ") }, `Key “${caller.name ?? caller.id}”`),
    h("button", { class: "quiet", onclick: signOut }, "Sign out")]);
}

async function signOut() {
  await ask("POST", "/v1/logout", { body: {} });
  location.reload();
}

function signIn(refusal) {
  if (document.querySelector("form.login")) return;
  current = null;
  const key = h("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true, id: "key", name: "key" });
  const said = h("div", {});
  const form = h("form", { class: "login card", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await ask("POST", "/v1/login", { body: { key: key.value.trim() } });
      key.value = "";
      form.remove();
      await begin();
    } catch (error) {
      fill(said, problem(error));
      key.select();
    }
  } },
  h("h1", {}, "Sign in"),
  h("p", {}, "This server wants an API key. The console can do what the key may do, and nothing else."),
  h("label", { for: "key" }, "API key"), key,
  h("button", { class: "primary", type: "submit" }, "Sign in"), said,
  h("p", { class: "fine" }, "It is kept in a cookie that scripts cannot read and other sites cannot send. Make a key with ",
    h("code", {}, "scrubjay keys create me --grant '*:read'"), "."));
  fill(main, form);
  if (refusal && caller.authenticated) fill(said, problem(refusal));
  key.focus();
}

function noBanks() {
  fill(main, h("section", { class: "page" }, empty("No memory yet",
    "This store holds no bank that may be read. A bank is made when something is told:",
    h("pre", {}, "scrubjay retain \"The spare key is with the neighbours.\"\n# or, with a story to play with:\nscrubjay demo --console"))));
}

let looking = false;

/** Says so when the bank that is shown was deleted meanwhile. */
async function lookForBank() {
  const { view, params } = here();
  if (looking || !params.bank) return;
  looking = true;
  try {
    ({ banks } = await ask("GET", "/v1/banks"));
    if (params.bank !== here().params.bank || banks.some((one) => one.name === params.bank)) return;
    current?.shown?.leave?.();
    current = null;
    turn += 1;
    drawNav(view, "");
    fill(main, h("section", { class: "page" }, h("div", { class: "card" }, empty(`The bank “${params.bank}” is gone`, "It was deleted, with all that it held, or this key may not read it any more.",
      h("div", { class: "row" }, banks.slice(0, 20).map((one) => h("a", { class: "button", href: link(view, { bank: one.name }) }, one.name)))))));
  } catch { /* what asked says what went wrong */ } finally {
    looking = false;
  }
}

async function show() {
  const { view, params } = here();
  const known = VIEWS.some(([name]) => name === view) ? view : "ask";
  if (banks.length === 0) {
    drawNav(known, "");
    noBanks();
    return;
  }
  if (!params.bank) {
    go(known, { bank: banks[0].name, ...params }, { replace: true });
    return;
  }
  drawNav(known, params.bank);
  document.title = `${VIEWS.find(([name]) => name === known)[1]} · ${params.bank} · scrubjay`;
  if (current && current.view === known && current.bank === params.bank) {
    current.shown.update(params);
    return;
  }
  turn += 1;
  const mine = turn;
  current?.shown?.leave?.();
  current = null;
  const page = h("section", { class: `page view-${known}` });
  try {
    const [module, card] = await Promise.all([import(`./views/${known}.js`).catch(() => { throw noAnswer(); }), bankApi(params.bank).get("")]);
    if (mine !== turn) return;
    useZone(card.settings?.timezone);
    fill(main, page);
    const context = { bank: params.bank, banks, card, api: bankApi(params.bank), may, caller, refresh: begin };
    current = { view: known, bank: params.bank, shown: module.mount(page, context) };
    current.shown.update(here().params);
  } catch (error) {
    if (mine !== turn || error.status === 401) return;
    fill(main, h("section", { class: "page" }, problem(error, show)));
  }
}

async function begin() {
  try {
    caller = await ask("GET", "/v1/whoami").catch((error) => {
      if (error.status === 404) return caller;
      throw error;
    });
    if (caller.required && !caller.authenticated) {
      drawNav("ask", "");
      signIn();
      return;
    }
    ({ banks } = await ask("GET", "/v1/banks"));
    const wanted = here().params.bank;
    if (wanted && !banks.some((one) => one.name === wanted) && banks.length) {
      toast(`There is no bank “${wanted}” that may be read.`);
      go(here().view, { ...here().params, bank: banks[0].name }, { replace: true });
    }
    await show();
  } catch (error) {
    if (error.status !== 401) fill(main, h("section", { class: "page" }, problem(error, begin)));
  }
}

try {
  setTheme(localStorage.getItem("theme"));
} catch { /* as above */ }
onUnauthorized(signIn);
onMissing(lookForBank);
shell();
addEventListener("keydown", keyboard);
addEventListener("hashchange", show);
addEventListener("popstate", show);
addEventListener("routed", show);
begin();
