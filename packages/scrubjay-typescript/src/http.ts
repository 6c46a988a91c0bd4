// What sends a request to a scrubjay server and reads its answer; the routes are in api.ts.

/** What a server says of a request that it refused: what was wrong, and what to do. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  what?: string;
  value?: unknown;
  remedy?: string;
  request_id?: string;
  [name: string]: unknown;
}

/** A request that was refused; the message says why, and what to do. */
export class ScrubjayError extends Error {
  /** The status of the answer, as 404 or 422. */
  readonly status: number;
  /** What the server said. */
  readonly problem: Problem;
  /** How many seconds to wait before it is sent again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.remedy ? `${problem.detail} ${problem.remedy}` : problem.detail);
    this.name = problem.title || "ScrubjayError";
    this.status = problem.status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

export interface ConnectionOptions {
  /** A key of `scrubjay keys`, where the server wants one. */
  key?: string;
  /** Another `fetch`, for tests or proxies. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the request when it is aborted. */
  signal?: AbortSignal;
  /** A write that is sent twice with the same one is done once. */
  idempotencyKey?: string;
}

interface Sent extends CallOptions {
  body?: unknown;
  media?: string;
  query?: object;
}

/** The way to a server. */
export class Connection {
  readonly address: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;

  constructor(address: string, options: ConnectionOptions = {}) {
    this.address = address.replace(/\/+$/, "");
    this.#key = options.key;
    this.#fetch = options.fetch ?? ((...given) => fetch(...given));
  }

  protected async json<T>(method: string, path: string, sent: Sent): Promise<T> {
    return (await (await this.stream(method, path, sent)).json()) as T;
  }

  protected async text(method: string, path: string, sent: Sent): Promise<string> {
    return (await this.stream(method, path, sent)).text();
  }

  /** The answer, to be read as it comes; ScrubjayError if it is a refusal. */
  protected async stream(method: string, path: string, sent: Sent): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.#key !== undefined) headers["Authorization"] = `Bearer ${this.#key}`;
    if (sent.idempotencyKey !== undefined) headers["Idempotency-Key"] = sent.idempotencyKey;
    const init: RequestInit & { duplex?: "half" } = { method, headers };
    if (sent.signal !== undefined) init.signal = sent.signal;
    if (sent.body !== undefined) {
      headers["Content-Type"] = sent.media ?? "application/json";
      init.body = sent.media === undefined ? JSON.stringify(sent.body) : (sent.body as BodyInit);
      if (init.body instanceof ReadableStream) init.duplex = "half";
    }
    const answer = await this.#fetch(`${this.address}${path}${inQuery(sent.query ?? {})}`, init);
    if (!answer.ok) throw await refusal(answer);
    return answer;
  }
}

/** What is asked in an address: lists repeat their name, objects are JSON, what is not said is left out. */
function inQuery(query: object): string {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      said.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
  }
  const text = said.toString();
  return text === "" ? "" : `?${text}`;
}

async function refusal(answer: Response): Promise<ScrubjayError> {
  const waited = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  const after = Number.isFinite(waited) ? waited : undefined;
  try {
    return new ScrubjayError((await answer.json()) as Problem, after);
  } catch {
    const detail = `The server answered ${answer.status}, and not in JSON.`;
    return new ScrubjayError({ type: "about:blank", title: "", status: answer.status, detail }, after);
  }
}
