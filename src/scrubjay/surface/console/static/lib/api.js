// Asks the server: its public routes, and nothing else.

/** What the server refused, and what to do about it. */
export class Problem extends Error {
  constructor(status, said) {
    super(said.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.title = said.title ?? `HTTP ${status}`;
    this.detail = said.detail ?? this.message;
    this.remedy = said.remedy ?? "";
    this.requestId = said.request_id ?? "";
  }
}

let refused = () => {};
let missing = () => {};

/** What is said when the server is not there. */
export const noAnswer = () => new Problem(0, { title: "No answer", detail: "The server does not answer.", remedy: "Is `scrubjay serve` or `scrubjay console` still running?" });

/** Calls `handle` when a request needs a key. */
export function onUnauthorized(handle) {
  refused = handle;
}

/** Calls `handle` when something that was asked for is not there: its bank may be gone. */
export function onMissing(handle) {
  missing = handle;
}

async function said(response) {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

/** The answer to a request; Problem when it is refused. */
export async function ask(method, path, { query, body, signal, raw } = {}) {
  const url = new URL(path.replace(/^\//, ""), document.baseURI);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") url.searchParams.append(name, one);
    }
  }
  // A page of another site cannot send this header without asking first, whatever cookies it carries.
  const headers = method === "GET" ? {} : { "X-Scrubjay-Console": "1" };
  if (body !== undefined) headers["Content-Type"] = raw ?? "application/json";
  let response;
  try {
    response = await fetch(url, {
      method, headers, signal, credentials: "same-origin", cache: "no-store",
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw noAnswer();
  }
  if (!response.ok) {
    const problem = new Problem(response.status, await said(response));
    if (response.status === 401) refused(problem);
    if (response.status === 404) missing();
    throw problem;
  }
  return response.status === 204 ? {} : response.json();
}

const of = (bank) => `/v1/banks/${encodeURIComponent(bank)}`;

/** The routes of one bank. */
export const bankApi = (bank) => ({
  get: (path, query, signal) => ask("GET", `${of(bank)}${path}`, { query, signal }),
  post: (path, body, signal) => ask("POST", `${of(bank)}${path}`, { body, signal }),
  patch: (path, body) => ask("PATCH", `${of(bank)}${path}`, { body }),
  del: (path) => ask("DELETE", `${of(bank)}${path}`),
  url: (path) => new URL(`${of(bank)}${path}`.slice(1), document.baseURI),
});
