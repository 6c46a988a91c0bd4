// Uses the client against a server, whose address and key are given; what it found is printed.

import { Scrubjay, ScrubjayError, type Recall } from "../src/api.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const [, , address = "", key = ""] = process.argv;
const memory = new Scrubjay(`${address}/`, { key });

const told = await memory.retain("notes", { text: "Nadia keeps the keys of the quay.", tags: ["quay"] });
const again = await memory.retain("notes", { text: "Nadia keeps the keys of the quay.", tags: ["quay"] });
const found: Recall = await memory.recall("notes", { question: "Who keeps the keys?", limit: 3 });
const across = await memory.recallAcross({ question: "Who keeps the keys?", banks: ["notes"] });
const listed = await memory.listUnits("notes", { tag: ["quay"], metadata: {}, limit: 5 });
const lines = await (await memory.exportLines("notes")).text();
const task = await memory.importLines("copy", lines);

let refused: unknown = null;
try {
  await memory.recall("notes", { question: "Who?", limit: 0 });
} catch (error) {
  if (!(error instanceof ScrubjayError)) throw error;
  refused = { status: error.status, name: error.name, message: error.message };
}

const entity = await memory.entity("notes", "Nadia");
const said = {
  ids: told.ids,
  duplicates: again.duplicates,
  found: found.items.map((item) => [item.text, item.relevance > 0]),
  bank: across.items[0]?.bank,
  listed: listed.units.length,
  lines: lines.trim().split("\n").length,
  task: task.kind,
  entity: entity.entity.name,
  refused,
};
process.stdout.write(JSON.stringify(said));
