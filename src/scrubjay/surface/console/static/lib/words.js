// Says times, numbers and the engine's findings in words.

let zone = "UTC";
let formats = {}; // a format takes a millisecond to make, and a list says hundreds of times

/** Shows times in a bank's zone. */
export function useZone(name) {
  zone = name || "UTC";
  formats = {};
}

const SHAPES = {
  day: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  moment: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  hour: { hour: "2-digit", minute: "2-digit" },
  field: { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

const format = (shape) => (formats[shape] ??= new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...SHAPES[shape] }));

/** "Fri 30 Oct 2026". */
export const day = (iso) => format("day").format(new Date(iso)).replace(",", "");

/** "30 Oct 2026, 18:20". */
export const moment = (iso) => format("moment").format(new Date(iso));

const hour = (iso) => format("hour").format(new Date(iso));

/** An interval, as short as it can be said; null for neither end. */
export function span(start, end) {
  if (!start && !end) return null;
  if (!start) return `until ${day(end)}`;
  if (!end) return `since ${day(start)}`;
  if (day(start) !== day(end)) return `${day(start)} – ${day(end)}`;
  if (start === end) return hour(start) === "00:00" ? day(start) : moment(start);
  return hour(start) === "00:00" && hour(end) === "23:59" ? day(start) : `${day(start)}, ${hour(start)}–${hour(end)}`;
}

/** "3 weeks before" as of another moment. */
export function ago(iso, now) {
  const seconds = (new Date(now) - new Date(iso)) / 1000;
  const steps = [[31557600, "year"], [2629800, "month"], [604800, "week"], [86400, "day"], [3600, "hour"], [60, "minute"]];
  for (const [size, name] of steps) {
    const count = Math.floor(Math.abs(seconds) / size);
    if (count >= 1) return `${count} ${name}${count > 1 ? "s" : ""} ${seconds < 0 ? "ahead" : "ago"}`;
  }
  return "just now";
}

/** Wall time of the zone, as a datetime-local field has it. */
export function toField(iso) {
  if (!iso) return "";
  const by = Object.fromEntries(format("field").formatToParts(new Date(iso)).map((one) => [one.type, one.value]));
  return `${by.year.padStart(4, "0")}-${by.month}-${by.day}T${by.hour}:${by.minute}`;
}

/** The moment that a datetime-local field means in the zone; "" for none. */
export function fromField(value) {
  if (!value) return "";
  const wall = new Date(`${value.length === 10 ? `${value}T00:00` : value}Z`);
  if (Number.isNaN(wall.getTime())) return "";
  // The offset at the wall time taken as UTC is off by at most one change of the clocks; twice is enough.
  let guess = wall;
  for (let turn = 0; turn < 2; turn += 1) {
    const shown = new Date(`${toField(guess.toISOString())}Z`);
    guess = new Date(guess.getTime() + (wall - shown));
  }
  return guess.toISOString().replace(".000Z", "Z");
}

export const number = (value) => Number(value).toLocaleString("en");
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
export const score = (value) => (value === null || value === undefined ? "–" : Math.abs(value) >= 0.0995 || value === 0 ? value.toFixed(2) : value.toFixed(3));
export const percent = (value) => `${Math.round(value * 100)} %`;
export const milliseconds = (value) => (value >= 1000 ? `${(value / 1000).toFixed(2)} s` : value >= 10 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`);

export function bytes(value) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let at = 0;
  let left = value;
  while (left >= 1000 && at < units.length - 1) {
    left /= 1000;
    at += 1;
  }
  return `${left >= 10 || at === 0 ? Math.round(left) : left.toFixed(1)} ${units[at]}`;
}

const WAYS = { semantic: "meaning", lexical: "words", graph: "connections", temporal: "time" };

/** What a search finds by. */
export const way = (retriever) => WAYS[retriever] ?? retriever;

const HUES = ["semantic", "lexical", "graph", "temporal"];

/** The class of a search's colour; searches of one's own take the ones left. */
export function hue(retriever, all = []) {
  if (HUES.includes(retriever)) return `hue-${retriever}`;
  const own = all.filter((one) => !HUES.includes(one));
  return `hue-own${(Math.max(0, own.indexOf(retriever)) % 3) + 1}`;
}

const SIGNS = {
  type: (item) => `it is ${/^[aeiou]/.test(item.type) ? "an" : "a"} ${item.type}, as the question's words imply`,
  form: () => "it tells what is asked for: steps, or a reason",
  window: () => "it falls in the time the question names",
  neighbours: () => "memories told beside it were found too",
  question: () => "it only asks something itself",
  lacking: () => "it says no time, or no amount, and one is asked for",
  reply: () => "it was said to one who asked such a thing",
  speaker: (item) => `said by ${item.speaker ?? "whom the question names"}`,
  assistant: () => "said by the assistant, and the question is about the user",
  brief: () => "it is very short",
  age: () => "its age",
  rest: () => "what searches give at least to all that they did not find, and paths that lead to it",
};

/** A sign in words. */
export const sign = (name, item) => (SIGNS[name] ? SIGNS[name](item) : name.replaceAll("_", " "));

/** The stages of a recall, in order, each as what it does. */
export const STAGES = [
  ["scope", "In scope", "type, tag, time and validity filters"],
  ["retrieve", "Found", "at least one search returned it"],
  ["fuse", "Fused", "kept when the lists became one"],
  ["rerank", "Reranked", "read again, signs added"],
  ["min_score", "Relevant enough", "as likely as the least relevance asked for"],
  ["budget", "Fits the budget", "its tokens fit those that are left"],
  ["limit", "Within the limit", "among as many as were asked for"],
  ["returned", "Returned", "it is in the answer"],
];
