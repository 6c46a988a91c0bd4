// The same question in Python, for curl, and on the command line.

import { dialog, fill, h, toast } from "../lib/dom.js";

const python = (value) => (value === true ? "True" : value === false ? "False" : value === null ? "None"
  : Array.isArray(value) ? `[${value.map(python).join(", ")}]` : JSON.stringify(value));
const shell = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;

function asPython(bank, { question, window, ...options }) {
  const given = [python(question), `bank=${python(bank)}`, ...Object.entries(options).map(([name, value]) => `${name}=${python(value)}`),
    ...(window ? [`window=(${window.map(python).join(", ")})`] : [])];
  return `from scrubjay import Memory\n\nwith Memory.open(${python(location.origin)}) as memory:\n    answer = memory.recall(\n${given.map((one) => `        ${one},`).join("\n")}\n    )\n    for item in answer:\n        print(item.relevance, item.text)\n`;
}

function asCurl(bank, body) {
  const url = new URL(`v1/banks/${encodeURIComponent(bank)}/recall`, document.baseURI);
  return `curl -s ${shell(url)} \\\n     -H 'Content-Type: application/json' \\\n     -d ${shell(JSON.stringify(body))}\n`;
}

const FLAGS = { preset: "--preset", limit: "--limit", now: "--now", as_of: "--as-of", known_at: "--known-at", min_score: "--min-score", max_tokens: "--max-tokens", session: "--session" };

function asCli(bank, { question, ...options }) {
  const parts = ["scrubjay recall", shell(question), "--bank", shell(bank)];
  for (const [name, flag] of Object.entries(FLAGS)) if (options[name] !== undefined) parts.push(flag, shell(options[name]));
  for (const one of options.types ?? []) parts.push("--type", shell(one));
  for (const one of options.tags ?? []) parts.push("--tag", shell(one));
  if (options.window?.[0]) parts.push("--from", shell(options.window[0]));
  if (options.window?.[1]) parts.push("--to", shell(options.window[1]));
  if (options.rerank === false) parts.push("--no-rerank");
  return `${parts.join(" ")}\n`;
}

/** A dialog with the question in three forms. */
export function copyAs(bank, body) {
  const forms = { Python: asPython(bank, body), curl: asCurl(bank, body), CLI: asCli(bank, body) };
  const code = h("pre", { tabindex: 0 });
  const tabs = h("div", { class: "tabs" });
  let chosen = "Python";
  const show = (name) => {
    chosen = name;
    fill(code, forms[name]);
    for (const one of tabs.children) one.setAttribute("aria-pressed", String(one.textContent === name));
  };
  fill(tabs, Object.keys(forms).map((name) => h("button", { onclick: () => show(name) }, name)));
  dialog("Copy as", tabs, code, h("div", { class: "actions" }, h("button", { class: "primary", onclick: async () => {
    try {
      await navigator.clipboard.writeText(forms[chosen]);
      toast(`Copied as ${chosen}.`);
    } catch {
      getSelection().selectAllChildren(code);
      toast("This browser does not let pages copy: it is selected, press Ctrl+C.");
    }
  } }, "Copy")));
  show("Python");
}
