// The routes of a scrubjay server. Made by `python -m tools.derive_typescript`; do not edit.

import { Connection, type CallOptions } from "./http.js";

export { ScrubjayError, type CallOptions, type ConnectionOptions, type Problem } from "./http.js";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Decide that the newer of two memories replaces the older. */
export interface AcceptConflictBody {
  /** A memory's id. */
  old: string;
  /** A memory's id. */
  new: string;
}

/** A question to several banks, and how to recall. */
export interface AcrossBody {
  /** What to look for, in your own words. */
  question: string;
  /** Their names, each once; of equals, those named first go before others. */
  banks: string[];
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** Give an entity another name. */
export interface AliasEntityBody {
  /** A name. */
  alias: string;
}

/** Let pending memories count. */
export interface ApproveBody {
  ids: string[];
}

/** A relation that the question asks for, seen from an entity it names. */
export interface AskedEdge {
  relation: string;
  entity: number | null;
  forward: boolean;
  final: boolean;
}

/** A bank's identity card and settings. */
export interface BankCard {
  settings: BankSettings;
  name: string;
  created_at: string;
  encoder: string | null;
  units: number;
}

/** A bank's identity card. */
export interface BankInfo {
  name: string;
  created_at: string;
  encoder: string | null;
  units: number;
}

/** What a bank decides for itself; stored with the bank, changed by `bank(name, ...)`. */
export interface BankSettings {
  /** The zone in which "yesterday" and "in June" are days and months. */
  timezone: "UTC" | "Africa/Cairo" | "America/Los_Angeles" | "America/New_York" | "America/Sao_Paulo" | "Asia/Kolkata" | "Asia/Shanghai" | "Asia/Tokyo" | "Australia/Sydney" | "Europe/Berlin" | "Europe/London" | string;
  /** How words are cut: surface and stem, surface, or as one language. */
  analysis: "standard" | "simple" | "english" | "german" | "french" | "spanish" | string;
  /** The types a unit may have; append yours, for they are stored by position. */
  types: [Json, Json, Json, Json, Json, Json, Json];
  /** "recently" and "lately" reach back this many days. */
  recent_days: number;
  /** A type-filtered search with fewer results is run again unfiltered; 0: never. */
  widen_below: number;
  /** Semantic links of a unit. */
  links_per_unit_max: number;
  /** The calibrated similarity such a link needs. */
  link_floor: number;
  /** How sure it must be that a memory changes another, for the two to be linked. */
  update_floor: number;
  /** Units of one entity that link expansion follows. */
  links_per_entity_max: number;
  /** Whether messages are kept that call a tool, or that a tool answered. */
  tool_messages: boolean;
  /** Whether a vector is kept of every token, and questions compared with those. */
  late: boolean;
  /** Whether units are kept when the encoder fails; their vectors are made later. */
  embed_later: boolean;
  /** By kind of evidence, how many times the default's weight it counts; see `tune`. */
  weights: { [name: string]: number };
  /** Speakers, authors and origins whose units wait until they are approved. */
  pending_from: string[];
  /** How many units it may hold, those that wait included; 0 for any number. */
  units_max: number;
  /** How many bytes of what was told it may hold, as UTF-8; 0 for any number. */
  bytes_max: number;
  /** How often it may be asked or told in a minute; 0 for any number. */
  requests_per_minute_max: number;
}

/** Banks that may be read. */
export interface Banks {
  banks: BankInfo[];
}

/** Several questions, and how to recall. */
export interface BatchBody {
  questions: string[];
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** Units of one span of time, from `start` until before `end`, also by type. */
export interface Bucket {
  start: string;
  end: string;
  units: number;
  types: { [name: string]: number };
}

export type Cause = string | { other: string;  kind?: "causes" | "caused_by" | "enables" | "prevents";  weight?: number; };

/** Whether no byte of what was erased is left, and if not, why. */
export interface Compacted {
  done: boolean;
  pending: string | null;
}

/** Two units of which the newer seems to change what the older says; nothing was done yet. */
export interface Conflict {
  old: StoredUnit;
  new: StoredUnit;
  confidence: number;
  reason: string;
}

/** Pairs of which one seems to change the other, newest first. */
export interface ConflictsReply {
  conflicts: Conflict[];
}

export type ContentPart = string | null | { type?: string | null;  text?: string | null;  refusal?: string | null;  id?: string | null; name?: string | null; input?: Json; tool_use_id?: string | null; content?: string | ResultPart[] | null;  functionCall?: PartCall | null;  function_call?: PartCall | null;  toolUse?: PartCall | null;  functionResponse?: PartAnswer | null;  function_response?: PartAnswer | null;  toolResult?: PartAnswer | null;  toolName?: string | null;  toolCallId?: string | null;  output?: Json;  inlineData?: Json;  inline_data?: Json;  fileData?: Json;  file_data?: Json;  image?: Json;  document?: Json;  video?: Json; };

/** A part that could not do its work, and why. */
export interface Degraded {
  retriever: string;
  reason: string;
}

/** What retaining added beside the text, counted. */
export interface Derived {
  entities: number;
  relations: number;
  semantic_links: number;
  causal_links: number;
  updates: number;
  dated: number;
  typed: number;
  unsure: number;
}

/** Check a bank's indexes, and mend them with `fix`. */
export interface DoctorBody {
  fix?: boolean;
}

/** Check a bank's indexes, and mend them with `fix`. */
export interface DoctorReply {
  findings: Finding[];
}

/** It is done. */
export interface Done {
  done: boolean;
}

/** What joins two nodes, how strongly, in (0, 1]; a relation says which in `label`. */
export interface Edge {
  source: string;
  target: string;
  kind: string;
  strength: number;
  label: string | null;
}

/** Log that a conversation ended. */
export interface EndSessionBody {
  /** The conversation. */
  name: string;
  /** Now, if left out. */
  at?: string | null;
}

/** Entities, most mentioned first. */
export interface EntitiesReply {
  entities: Entity[];
}

/** A person, place, organisation, project or identifier that units mention. */
export interface Entity {
  id: number;
  name: string;
  kind: string;
  aliases: string[];
  mentions: number;
}

/** An entity, how it stands to others, and who else answers to one of its names. */
export interface EntityCard {
  entity: Entity;
  relations: EntityRelation[];
  same_name: Entity[];
  together: MentionedTogether[];
}

/** What a merge, a split or an alias would do; an entity that would be made has number 0. */
export interface EntityChange {
  before: Entity[];
  after: Entity[];
  mentions: number;
  relations: number;
  also: Entity[];
}

/** A relation as one of its entities sees it; `forward`: it goes out from that one. */
export interface EntityRelation {
  id: number;
  relation: string;
  forward: boolean;
  other: number;
  other_name: string;
  relation_class: string;
  confidence: number;
  valid_from: string | null;
  valid_to: string | null;
  told: boolean;
  unit: string | null;
}

/** What `forget` removed, and from where; `compacted` says whether no byte is left on disk. */
export interface Erasure {
  units: number;
  vectors: number;
  words: number;
  links: number;
  mentions: number;
  entities: number;
  relations: number;
  compacted: boolean;
  ids: string[];
  sessions: number;
  left_closed: string[];
  pending: string | null;
}

/** What one retriever said of a unit: its rank there, from 1, and its score in [0, 1]. */
export interface Evidence {
  rank: number;
  score: number;
  path?: string[];
}

/** Why a memory is, or is not, in an answer. */
export interface ExplainBody {
  /** What to look for, in your own words. */
  question: string;
  /** A memory's id. */
  unit: string;
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** What one retriever makes of one unit, also when it did not return it. */
export interface Explained {
  ran: boolean;
  rank: number | null;
  score: number | null;
  reason: string;
}

/** Why a unit was, or was not, in the answer to a question. */
export interface Explanation {
  unit: string;
  question: string;
  returned: boolean;
  step: "scope" | "retrieve" | "fuse" | "rerank" | "min_score" | "budget" | "limit" | "returned";
  reason: string;
  rank: number | null;
  retrievers: { [name: string]: Explained };
  fused_rank: number | null;
  fused_score: number | null;
  rerank: number | null;
  score: number | null;
  relevance: number | null;
  recency: number | null;
  temporal_boost: number | null;
  signs: { [name: string]: number };
  contributions: { [name: string]: number };
  rival: Rival | null;
  change: string | null;
}

/** What a language model found in what was told. */
export interface Facts {
  facts: string[];
  troubles: Trouble[];
  usage: Usage;
  facts_retained: Retained;
}

/** Say what of an answer was of use. */
export interface FeedbackBody {
  /** What to look for, in your own words. */
  question: string;
  /** Units that were of use. */
  used?: string[];
  /** Units that it lacked. */
  missed?: string[];
  /** The `now` of the answer; now, if left out. */
  asked_at?: string | null;
}

/** One thing `doctor` found wrong, and whether it was repaired. */
export interface Finding {
  check: string;
  detail: string;
  fixed: boolean;
}

/** Which memories to erase: by ids or by a filter. */
export interface ForgetBody {
  ids?: string[];
  filter?: Json;
  /** Leave no byte of them on disk. */
  compact?: boolean;
}

/** The function that a model calls. */
export interface FunctionCall {
  name?: string | null;
  arguments?: Json;
}

/** How the server is. */
export interface Health {
  status: string;
}

/** How many units were told, or happened, when; spans follow each other, empty ones too. */
export interface Histogram {
  by: string;
  grain: string;
  timezone: string;
  total: number;
  undated: number;
  buckets: Bucket[];
}

/** A memory among what it replaced and what replaced it, oldest first. */
export interface HistoryReply {
  units: StoredUnit[];
}

/** What an import would find; `skipped` counts what it leaves out, by the reason. */
export interface ImportPreview {
  kind: string;
  units: number;
  sessions: number;
  types: { [name: string]: number };
  skipped: { [name: string]: number };
  problems: ImportProblem[];
  first: string[];
}

/** A line that cannot be read, and why. */
export interface ImportProblem {
  file: string;
  line: number;
  reason: string;
}

/** One memory in the answer: of a stored unit what is shown, then what the answer adds. */
export interface Item {
  id: string;
  text: string;
  type: string;
  score: number;
  relevance: number;
  occurred_start: string | null;
  occurred_end: string | null;
  told_at: string;
  context: string | null;
  tags: string[];
  metadata: { [name: string]: Json };
  source: Source | null;
  entities: string[];
  tokens: number;
  predicate: string | null;
  speaker: string | null;
  session: string | null;
  key: string | null;
  author: string | null;
  origin: string | null;
  why: Why;
  bank?: string;
  valid_from?: string;
  valid_to?: string;
}

/** A key to be made. */
export interface KeyBody {
  /** Who will use it. */
  name: string;
  /** Scopes by bank: read, write or admin; `*` is every bank. */
  grants: { [name: string]: "metrics" | "read" | "write" | "admin" };
  /** Requests per second. */
  rate?: number;
}

/** A key without its secret. */
export interface KeyCard {
  id: string;
  name: string;
  grants: { [name: string]: string };
  rate: number;
  created_at: string;
  revoked_at: string | null;
}

/** Keys, oldest first. */
export interface KeyCards {
  keys: KeyCard[];
}

/** A new key: `key` is what is sent with requests, and is shown this once. */
export interface KeyMade {
  card: KeyCard;
  key: string;
}

/** How long something took: counts up to each bound in seconds, the last without one. */
export interface Latency {
  of: string;
  labels: { [name: string]: string };
  count: number;
  sum_s: number;
  buckets: Array<[number | null, number]>;
}

/** One stored edge between two units, seen from `source`. */
export interface Link {
  source: string;
  target: string;
  kind: "entity" | "semantic" | "causes" | "caused_by" | "enables" | "prevents" | "updates" | "updated_by" | "distinct";
  weight: number;
}

/** Say that one memory causes, enables or prevents another. */
export interface LinkBody {
  /** A memory's id. */
  cause: string;
  /** A memory's id. */
  effect: string;
  kind?: "causes" | "caused_by" | "enables" | "prevents";
  weight?: number;
}

/** The stored links of a memory. */
export interface LinksReply {
  links: Link[];
}

/** A key, as it was shown when it was made. */
export interface LoginBody {
  /** A key. */
  key: string;
}

/** What was wrong with the few units of a bank that were compared with what finds them. */
export interface Look {
  at: string;
  findings: Finding[];
}

/** The number of what was made. */
export interface Made {
  id: number;
}

/** Another entity, and how many units mention both. */
export interface MentionedTogether {
  entity: number;
  name: string;
  units: number;
}

/** Make two entities one. */
export interface MergeEntitiesBody {
  /** The number that a listing shows, or a name. */
  keep: number | string;
  /** Whose names the other takes. */
  drop: number | string;
}

/**
 * One message of a conversation as chat APIs have it; what is not known here is passed over.
 */
export interface Message {
  /** Who speaks. */
  role?: string | null;
  /** What is said. */
  content?: string | ContentPart[] | null;
  /** The same in parts. */
  parts?: ContentPart[] | null;
  /** The same under another name. */
  text?: string | null;
  /** The kind of item; or, beside `text`, the type of the memory. */
  type?: string | null;
  /** The name of who speaks, or of the tool. */
  name?: string | null;
  /** The name of who speaks. */
  speaker?: string | null;
  /** When it was said. */
  timestamp?: string | number | null;
  created_at?: string | number | null;
  createdAt?: string | number | null;
  date?: string | number | null;
  told_at?: string | number | null;
  at?: string | number | null;
  /** Tools that are called. */
  tool_calls?: ToolCall[] | null;
  function_call?: FunctionCall | null;
  /** The call that is answered. */
  tool_call_id?: string | null;
  /** The same in response items. */
  call_id?: string | null;
  /** What the tool is called with, in response items. */
  arguments?: Json;
  /** What the tool answered, in response items. */
  output?: string | ResultPart[] | null;
  refusal?: string | null;
  /** The message itself, in LangChain. */
  data?: { [name: string]: Json } | null;
  /** The same, serialised. */
  kwargs?: { [name: string]: Json } | null;
  session?: string | null;
  /** Labels to filter by. */
  tags?: string[];
  metadata?: { [name: string]: MetadataValue } | null;
  key?: string | null;
}

/** A conversation as chat APIs have it; the rest applies to every message. */
export interface Messages {
  messages: Message[];
  /** The conversation it is. */
  session?: string | null;
  /** What it belongs to. */
  context?: string | null;
  /** Labels to filter by. */
  tags?: string[] | null;
  metadata?: { [name: string]: MetadataValue } | null;
  /** Leave them out of everything until they are approved. */
  pending?: boolean;
}

/** A JSON value: whole numbers of 64 bits, text without NUL. */
export type MetadataValue = boolean | null | number | string | MetadataValue[] | { [name: string]: MetadataValue };

/** What stands next to one unit or entity: the centre first, then the strongest. */
export interface Neighbourhood {
  nodes: Node[];
  edges: Edge[];
  more: boolean;
}

/** A unit or an entity, and how many steps it is from the centre. */
export interface Node {
  id: string;
  kind: string;
  ref: string;
  label: string;
  type: string;
  told_at: string | null;
  distance: number;
}

/** An empty object, or no body. */
export interface Nothing {
}

/** One page of a listing; `cursor` continues it and is None at the end. */
export interface Page {
  units: StoredUnit[];
  cursor: string | null;
  total: number;
}

/** A question, and the zone of its days and months. */
export interface ParseBody {
  /** What to look for, in your own words. */
  question: string;
  /** An IANA name; the bank's, if left out. */
  timezone?: "UTC" | "Africa/Cairo" | "America/Los_Angeles" | "America/New_York" | "America/Sao_Paulo" | "Asia/Kolkata" | "Asia/Shanghai" | "Asia/Tokyo" | "Australia/Sydney" | "Europe/Berlin" | "Europe/London" | string | null;
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** What the question says: when, about whom, in which words. */
export interface Parsed {
  window: [string, string | null] | [null, string] | null;
  kind: string | null;
  confidence: number;
  entities: ResolvedEntity[];
  now: string;
  question: string;
  window_text: string | null;
  terms: string[];
  phrases: Array<string[]>;
  none_of: string[];
  content_words: number;
  speculative_time: string | null;
  multi_hop: boolean;
  asks_for: string | null;
  none_of_phrases: Array<string[]>;
  relations: AskedEdge[];
  unheard: string[];
}

/** What a question says, and the types its words hint at. */
export interface ParsedQuestion {
  hints: string[];
  window: [string, string | null] | [null, string] | null;
  kind: string | null;
  confidence: number;
  entities: ResolvedEntity[];
  now: string;
  question: string;
  window_text: string | null;
  terms: string[];
  phrases: Array<string[]>;
  none_of: string[];
  content_words: number;
  speculative_time: string | null;
  multi_hop: boolean;
  asks_for: string | null;
  none_of_phrases: Array<string[]>;
  relations: AskedEdge[];
  unheard: string[];
}

/** What a tool answered, in Gemini and Bedrock. */
export interface PartAnswer {
  name?: string | null;
  response?: Json;
  content?: Json;
  id?: string | null;
  toolUseId?: string | null;
}

/** A tool that a part calls, in Gemini and Bedrock. */
export interface PartCall {
  name?: string | null;
  args?: Json;
  input?: Json;
  id?: string | null;
  toolUseId?: string | null;
}

/** Units that wait to be approved, oldest first; `total` counts them all. */
export interface PendingUnits {
  units: StoredUnit[];
  total: number;
}

/** What the optimizer chose; prints as a table. */
export interface Plan {
  preset: string;
  retrievers: RetrieverPlan[];
  type_hints: string[];
  hint_reason: string;
  mode: string;
  mode_reason: string;
  excluded: string[];
}

/** How a question would be recalled, and why. */
export interface PlanBody {
  /** What to look for, in your own words. */
  question: string;
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** What an alias would do. */
export interface PreviewAliasBody {
  /** A name. */
  alias: string;
}

/** What a merge would do. */
export interface PreviewMergeBody {
  /** The number that a listing shows, or a name. */
  keep: number | string;
  /** Whose names the other takes. */
  drop: number | string;
}

/** What a split would do. */
export interface PreviewSplitBody {
  /** A name. */
  name: string;
  units: string[];
}

/** How well questions are answered, on average; each in [0, 1]. */
export interface Quality {
  recall: number;
  ndcg: number;
  first: number;
}

/** The answer: a sequence of items, best first, and how they came to be. */
export interface Recall {
  items: Item[];
  plan: Plan;
  window: [string, string | null] | [null, string] | null;
  timings: { [name: string]: {  start_ms: number;  end_ms: number;  cpu_ms: number; } };
  widened: boolean;
  degraded: Degraded[];
  nothing_relevant: boolean;
  tokens: number;
  max_wait_ms: number;
  question: string;
  parsed: Parsed;
  reranked: number;
  missing?: string;
  missing_words?: string[];
  trace?: { [name: string]: Json };
  stale_ms?: number;
}

/** Ask several questions. */
export interface RecallBatchReply {
  recalls: Recall[];
}

/** A question, and how to recall; see `scrubjay docs recall`. */
export interface RecallBody {
  /** What to look for, in your own words. */
  question: string;
  /** At most so many items. */
  limit?: number;
  /** At most so much text. */
  max_tokens?: number;
  /** Only of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string> | null;
  /** Only with all of these tags. */
  tags?: string[];
  /** Only with these values. */
  metadata?: { [name: string]: MetadataValue };
  /** Only what happened or was told in it. */
  window?: [string, string | null] | [null, string] | null;
  /** What was true then. */
  as_of?: string | null;
  /** What was known then. */
  known_at?: string | null;
  /** From where 'yesterday' is counted. */
  now?: string | null;
  /** A way to recall by its name. */
  preset?: "dense_fts" | "polyant" | "tempr" | "hindsight" | "recall5" | "default";
  /** Whether a cross-encoder reads along. */
  rerank?: boolean | null;
  /** Least relevance. */
  min_score?: number | null;
  /** The conversation that asks. */
  session?: string | null;
  /** How long each search may take; the preset's own, if left out. */
  deadline_ms?: number | null;
  /** How many units a search along links may visit; the preset's own, if left out. */
  thinking_budget?: number | null;
  /** Fail when every search fails. */
  strict?: boolean;
  /** Give the whole way along. */
  trace?: boolean;
}

/** The name of another encoder. */
export interface ReembedBody {
  /** A model's name. */
  encoder: string;
}

/** Erase pending memories. */
export interface RejectBody {
  ids: string[];
}

/** Decide that both of two memories hold. */
export interface RejectConflictBody {
  /** A memory's id. */
  old: string;
  /** A memory's id. */
  new: string;
}

/** A typed edge from one entity to another; `confidence` is in (0, 1]. */
export interface Relation {
  /** An entity's name. */
  subject: string;
  /** How the first stands to the second. */
  relation: string;
  /** An entity's name. */
  object: string;
  relation_class?: "structural" | "semantic" | "lifecycle";
  confidence?: number;
  valid_from?: string | null;
  valid_to?: string | null;
}

/** Relations, in the order they were told. */
export interface RelationsReply {
  relations: StoredRelation[];
}

/** A name in the question and the entity it stands for; candidates when it is not sure. */
export interface ResolvedEntity {
  mention: string;
  id: number;
  name: string;
  confidence: number;
  by_pronoun: boolean;
  candidates: Array<[number, number]>;
}

export type ResultPart = string | null | {  type?: string | null;  text?: string | null; };

/**
 * What `retain` did: an id per unit told, in order; new, a duplicate, an update, or pending.
 */
export interface Retained {
  ids: string[];
  new: string[];
  duplicates: string[];
  updated: string[];
  derived: Derived;
  left_out?: number;
  pending?: string[];
  degraded?: Degraded[];
}

/** Whether and how one retriever runs, and why. */
export interface RetrieverPlan {
  retriever: string;
  run: boolean;
  method: string;
  depth: number;
  weight: number;
  deadline_ms: number;
  reason: string;
}

/** A unit that another one is compared with, and what its score is made of. */
export interface Rival {
  unit: string;
  score: number;
  contributions: { [name: string]: number };
}

/** One conversation in the log; `ended_at` is None while nobody closed it. */
export interface Session {
  name: string;
  started_at: string;
  last_at: string;
  ended_at: string | null;
  units: number;
}

/** The log of conversations. */
export interface SessionsReply {
  sessions: Session[];
}

/** Where a unit was cut from: the document's id, and the span of its characters. */
export interface Source {
  document: string;
  start: number;
  end: number;
}

/** One stage or branch: offsets in milliseconds from the start of the trace. */
export interface Span {
  name: string;
  start_ms: number;
  end_ms: number;
  cpu_ms: number;
}

/** Give some mentions to a new entity. */
export interface SplitEntityBody {
  /** A name. */
  name: string;
  units: string[];
}

/** Log that a conversation began. */
export interface StartSessionBody {
  /** The conversation. */
  name: string;
  /** Now, if left out. */
  at?: string | null;
}

/** Counts and sizes of one bank. */
export interface Stats {
  bank: string;
  units: number;
  by_type: { [name: string]: number };
  entities: number;
  relations: number;
  sessions: number;
  links: number;
  vectors: number;
  terms: number;
  encoder: string | null;
  disk_bytes: number;
  oldest_told_at: string | null;
  newest_told_at: string | null;
  pending: number;
  last_look: Look | null;
  told_bytes: number;
}

/** A server at a glance; counts are since it was started. */
export interface Status {
  version: string;
  started_at: string;
  store: string;
  keys_required: boolean;
  banks: Stats[];
  banks_total: number;
  tasks: TaskReply[];
  at_work: number;
  questions: number;
  nothing_relevant: number;
  widened: number;
  degraded: { [name: string]: number };
  refused: { [name: string]: number };
  latencies: Latency[];
}

/** A relation as the store keeps it, with its entities resolved. */
export interface StoredRelation {
  id: number;
  relation: string;
  relation_class: "structural" | "semantic" | "lifecycle";
  confidence: number;
  valid_from: string | null;
  valid_to: string | null;
  unit: string | null;
  told: boolean;
  subject_entity: Entity;
  object_entity: Entity;
  subject: string;
  object: string;
  subject_id: number;
  object_id: number;
}

/** One memory as the store keeps it. */
export interface StoredUnit {
  id: string;
  text: string;
  type: string;
  predicate: string | null;
  context: string | null;
  occurred_start: string | null;
  occurred_end: string | null;
  told_at: string;
  created_at: string;
  valid_from: string | null;
  valid_to: string | null;
  closed_at: string | null;
  entities: string[];
  tags: string[];
  metadata: { [name: string]: Json };
  session: string | null;
  speaker: string | null;
  key: string | null;
  source: Source | null;
  supersedes: string | null;
  superseded_by: string | null;
  tokens: number;
  author: string | null;
  origin: string | null;
  pending: boolean;
}

/** Replace a memory by another; the old one stays. */
export interface SupersedeBody {
  /** A memory's id. */
  old: string;
  /** What is true now: a text, a memory, or the id of one. */
  new: string | Unit;
  /** Since when; now, if left out. */
  at?: string | null;
}

/** Long work, newest first. */
export interface TaskReplies {
  tasks: TaskReply[];
}

/** Long work: `waiting`, `running`, `done` or `failed`. */
export interface TaskReply {
  id: string;
  kind: string;
  bank: string;
  state: string;
  done: number;
  total: number;
  result: { [name: string]: Json } | null;
  problem: { [name: string]: Json } | null;
  created_at: string;
}

/** What retaining did, and what a language model found, if it was asked. */
export interface Told {
  extraction?: Facts;
  ids: string[];
  new: string[];
  duplicates: string[];
  updated: string[];
  derived: Derived;
  left_out?: number;
  pending?: string[];
  degraded?: Degraded[];
}

/** A tool that a model calls: OpenAI has name and arguments in `function`, LangChain here. */
export interface ToolCall {
  id?: string | null;
  name?: string | null;
  args?: Json;
  function?: FunctionCall | null;
}

/** Why a unit, or one fact of it, gave nothing. */
export interface Trouble {
  unit: string;
  reason: string;
}

/** What a bank's feedback says about what evidence counts in it. */
export interface Tuning {
  questions: number;
  before: Quality;
  after: Quality;
  weights: { [name: string]: number };
  changed: boolean;
}

/** Let a memory hold again that was replaced. */
export interface UndoSupersedeBody {
  /** A memory's id. */
  unit: string;
}

/** One memory as a caller tells it; everything but `text` is optional. */
export interface Unit {
  /** What to remember, in whole sentences. */
  text: string;
  /** Decided by rule if left out. */
  type?: "fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string | null;
  /** What it says, in a few words. */
  predicate?: string | null;
  /** What it belongs to. */
  context?: string | null;
  /** When it happened; read from the text if left out. */
  occurred_start?: string | null;
  occurred_end?: string | null;
  /** When it was told; now, if left out. */
  told_at?: string | null;
  /** Since when it is true. */
  valid_from?: string | null;
  /** Until when it is true. */
  valid_to?: string | null;
  /** Who and what it names. */
  entities?: string[];
  relations?: Relation[];
  causes?: Cause[];
  /** Labels to filter by. */
  tags?: string[];
  metadata?: { [name: string]: MetadataValue };
  /** The conversation it was said in. */
  session?: string | null;
  /** Who said it. */
  speaker?: string | null;
  /** Your own name for it; a known key updates it. */
  key?: string | null;
  /** Who told it: a person, an agent. */
  author?: string | null;
  /** From where: an application, a file, an address. */
  origin?: string | null;
}

/** Which units a listing, an erasure or a recall is about; empty means all. */
export interface UnitFilter {
  /** With one of these ids. */
  ids?: string[];
  /** Of one of these types. */
  types?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string>;
  /** With all of these tags. */
  tags?: string[];
  /** Equal on every key given. */
  metadata?: { [name: string]: MetadataValue };
  /** Of this conversation. */
  session?: string | null;
  /** Said by. */
  speaker?: string | null;
  /** With this key. */
  key?: string | null;
  /** That names it: a name, or a number. */
  entity?: number | string | null;
  /** When it was told. */
  told?: [string, string | null] | [null, string] | null;
  /** When it happened. */
  occurred?: [string, string | null] | [null, string] | null;
  /** That names the entity of this number. */
  entity_id?: number | null;
  /** With all of these words; the last by its beginning, unless a space follows. */
  text?: string | null;
  /** True then. */
  as_of?: string | null;
  /** Known then. */
  known_at?: string | null;
  /** Told by. */
  author?: string | null;
  /** Told from there. */
  origin?: string | null;
}

/** Several memories. */
export interface Units {
  units: Unit[];
  /** Leave them out of everything until they are approved. */
  pending?: boolean;
}

/** What the language model was asked; `cost` is None where no prices were given. */
export interface Usage {
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number | null;
}

/** Who the server takes the caller for; `grants` are scopes by bank, `*` for every bank. */
export interface Whoami {
  required: boolean;
  authenticated: boolean;
  id: string | null;
  name: string | null;
  grants: { [name: string]: string };
}

/** Everything that gave an item its place. */
export interface Why {
  rerank: number | null;
  recency: number;
  temporal_boost: number;
  fused: number;
  signs: { [name: string]: number };
  updated_by?: string;
}

/** A scrubjay server: every route as a method. Nothing is sent before one is called. */
export class Scrubjay extends Connection {
  /** List the banks this key may read. */
  listBanks(options: CallOptions = {}): Promise<Banks> {
    return this.json("GET", "/v1/banks", options);
  }

  /** A bank's identity card and settings. */
  getBank(bank: string, options: CallOptions = {}): Promise<BankCard> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}`, options);
  }

  /** Make a bank, or change its settings. */
  putBank(
    bank: string,
    body: { timezone?: "UTC" | "Africa/Cairo" | "America/Los_Angeles" | "America/New_York" | "America/Sao_Paulo" | "Asia/Kolkata" | "Asia/Shanghai" | "Asia/Tokyo" | "Australia/Sydney" | "Europe/Berlin" | "Europe/London" | string; analysis?: "standard" | "simple" | "english" | "german" | "french" | "spanish" | string; types?: [Json, Json, Json, Json, Json, Json, Json]; recent_days?: number; widen_below?: number; links_per_unit_max?: number; link_floor?: number; update_floor?: number; links_per_entity_max?: number; tool_messages?: boolean; late?: boolean; embed_later?: boolean; weights?: { [name: string]: number }; pending_from?: string[]; units_max?: number; bytes_max?: number; requests_per_minute_max?: number; } = {},
    options: CallOptions = {},
  ): Promise<BankCard> {
    return this.json("PUT", `/v1/banks/${encodeURIComponent(bank)}`, { body, ...options });
  }

  /** Erase a bank and its files. */
  deleteBank(bank: string, options: CallOptions = {}): Promise<Done> {
    return this.json("DELETE", `/v1/banks/${encodeURIComponent(bank)}`, options);
  }

  /** Counts and sizes of a bank. */
  stats(bank: string, options: CallOptions = {}): Promise<Stats> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/stats`, options);
  }

  /** Check a bank's indexes, and mend them with `fix`. */
  doctor(bank: string, body: DoctorBody = {}, options: CallOptions = {}): Promise<DoctorReply> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/doctor`, { body, ...options });
  }

  /** Rewrite a bank's files without what was erased. */
  compact(bank: string, body: Nothing = {}, options: CallOptions = {}): Promise<Compacted> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/compact`, { body, ...options });
  }

  /** Give every unit the vector of another encoder. */
  reembed(bank: string, body: ReembedBody, options: CallOptions = {}): Promise<TaskReply> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/reembed`, { body, ...options });
  }

  /** Keep one memory, or many. */
  retain(
    bank: string,
    body: Unit | Units | Messages,
    query: { extract?: boolean; } = {},
    options: CallOptions = {},
  ): Promise<Told> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/memories`, { body, query, ...options });
  }

  /** List memories that pass a filter, in an order. */
  listUnits(
    bank: string,
    query: { id?: string[]; type?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string>; tag?: string[]; metadata?: { [name: string]: MetadataValue }; session?: string; speaker?: string; key?: string; entity?: number | string; told_from?: string; told_to?: string; occurred_from?: string; occurred_to?: string; entity_id?: number; text?: string; as_of?: string; known_at?: string; author?: string; origin?: string; order?: "oldest" | "newest" | "told" | "-told" | "occurred" | "-occurred"; limit?: number; cursor?: string; offset?: number; } = {},
    options: CallOptions = {},
  ): Promise<Page> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/memories`, { query, ...options });
  }

  /** One memory, every field. */
  get(bank: string, unit: string, options: CallOptions = {}): Promise<StoredUnit> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/memories/${encodeURIComponent(unit)}`, options);
  }

  /** Change a memory in place. */
  update(
    bank: string,
    unit: string,
    body: { text?: string; type?: "fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string | null; predicate?: string | null; context?: string | null; occurred_start?: string | null;  occurred_end?: string | null; told_at?: string | null; valid_from?: string | null; valid_to?: string | null; entities?: string[] | null;  relations?: Relation[] | null;  causes?: Cause[] | null; tags?: string[] | null;  metadata?: { [name: string]: MetadataValue } | null; session?: string | null; speaker?: string | null; key?: string | null; author?: string | null; origin?: string | null; },
    options: CallOptions = {},
  ): Promise<StoredUnit> {
    return this.json("PATCH", `/v1/banks/${encodeURIComponent(bank)}/memories/${encodeURIComponent(unit)}`, { body, ...options });
  }

  /** Erase a memory. */
  delete(bank: string, unit: string, options: CallOptions = {}): Promise<Erasure> {
    return this.json("DELETE", `/v1/banks/${encodeURIComponent(bank)}/memories/${encodeURIComponent(unit)}`, options);
  }

  /** The stored links of a memory. */
  links(bank: string, unit: string, options: CallOptions = {}): Promise<LinksReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/memories/${encodeURIComponent(unit)}/links`, options);
  }

  /** Replace a memory by another; the old one stays. */
  supersede(bank: string, body: SupersedeBody, options: CallOptions = {}): Promise<StoredUnit> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/supersede`, { body, ...options });
  }

  /** Let a memory hold again that was replaced. */
  undoSupersede(
    bank: string,
    body: UndoSupersedeBody,
    options: CallOptions = {},
  ): Promise<StoredUnit> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/supersede/undo`, { body, ...options });
  }

  /** Erase memories by id or filter. */
  forget(bank: string, body: ForgetBody, options: CallOptions = {}): Promise<Erasure> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/forget`, { body, ...options });
  }

  /** A memory among what it replaced and what replaced it, oldest first. */
  history(bank: string, unit: string, options: CallOptions = {}): Promise<HistoryReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/memories/${encodeURIComponent(unit)}/history`, options);
  }

  /** Memories that wait to be approved, oldest first. */
  pending(
    bank: string,
    query: { limit?: number; offset?: number; } = {},
    options: CallOptions = {},
  ): Promise<PendingUnits> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/pending`, { query, ...options });
  }

  /** Let pending memories count. */
  approve(bank: string, body: ApproveBody, options: CallOptions = {}): Promise<Retained> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/pending/approve`, { body, ...options });
  }

  /** Erase pending memories. */
  reject(bank: string, body: RejectBody, options: CallOptions = {}): Promise<Erasure> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/pending/reject`, { body, ...options });
  }

  /** Ask the memory; best answers first. */
  recall(bank: string, body: RecallBody, options: CallOptions = {}): Promise<Recall> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/recall`, { body, ...options });
  }

  /** Ask several banks together; one ranking, each item with its bank. */
  recallAcross(body: AcrossBody, options: CallOptions = {}): Promise<Recall> {
    return this.json("POST", "/v1/recall", { body, ...options });
  }

  /** Ask several questions. */
  recallBatch(
    bank: string,
    body: BatchBody,
    options: CallOptions = {},
  ): Promise<RecallBatchReply> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/recall-batch`, { body, ...options });
  }

  /** Why a memory is, or is not, in an answer. */
  explain(bank: string, body: ExplainBody, options: CallOptions = {}): Promise<Explanation> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/explain`, { body, ...options });
  }

  /** What a question says: when, about whom. */
  parse(bank: string, body: ParseBody, options: CallOptions = {}): Promise<ParsedQuestion> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/parse`, { body, ...options });
  }

  /** How a question would be recalled, and why. */
  plan(bank: string, body: PlanBody, options: CallOptions = {}): Promise<Plan> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/plan`, { body, ...options });
  }

  /** Say what of an answer was of use. */
  feedback(bank: string, body: FeedbackBody, options: CallOptions = {}): Promise<Done> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/feedback`, { body, ...options });
  }

  /** Fit what evidence counts, from feedback. */
  tune(bank: string, body: Nothing = {}, options: CallOptions = {}): Promise<Tuning> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/tune`, { body, ...options });
  }

  /** Count evidence by default again. */
  undoTune(bank: string, body: Nothing = {}, options: CallOptions = {}): Promise<Done> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/tune/undo`, { body, ...options });
  }

  /** Entities, most mentioned first. */
  entities(
    bank: string,
    query: { containing?: string; limit?: number; offset?: number; } = {},
    options: CallOptions = {},
  ): Promise<EntitiesReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/entities`, { query, ...options });
  }

  /** Make two entities one. */
  mergeEntities(
    bank: string,
    body: MergeEntitiesBody,
    options: CallOptions = {},
  ): Promise<Entity> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/merge`, { body, ...options });
  }

  /** Give an entity another name. */
  aliasEntity(
    bank: string,
    entity: string | number,
    body: AliasEntityBody,
    options: CallOptions = {},
  ): Promise<Entity> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/${encodeURIComponent(entity)}/alias`, { body, ...options });
  }

  /** Give some mentions to a new entity. */
  splitEntity(
    bank: string,
    entity: string | number,
    body: SplitEntityBody,
    options: CallOptions = {},
  ): Promise<Entity> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/${encodeURIComponent(entity)}/split`, { body, ...options });
  }

  /** Relations, in the order they were told. */
  relations(
    bank: string,
    query: { limit?: number; offset?: number; } = {},
    options: CallOptions = {},
  ): Promise<RelationsReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/relations`, { query, ...options });
  }

  /** Say how two entities stand to each other. */
  relate(bank: string, body: Relation, options: CallOptions = {}): Promise<Made> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/relations`, { body, ...options });
  }

  /** Say that one memory causes, enables or prevents another. */
  link(bank: string, body: LinkBody, options: CallOptions = {}): Promise<Done> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/links`, { body, ...options });
  }

  /** Pairs of which one seems to change the other, newest first. */
  conflicts(
    bank: string,
    query: { limit?: number; offset?: number; } = {},
    options: CallOptions = {},
  ): Promise<ConflictsReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/conflicts`, { query, ...options });
  }

  /** Decide that the newer of two memories replaces the older. */
  acceptConflict(
    bank: string,
    body: AcceptConflictBody,
    options: CallOptions = {},
  ): Promise<StoredUnit> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/conflicts/accept`, { body, ...options });
  }

  /** Decide that both of two memories hold. */
  rejectConflict(
    bank: string,
    body: RejectConflictBody,
    options: CallOptions = {},
  ): Promise<Done> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/conflicts/reject`, { body, ...options });
  }

  /** The log of conversations. */
  sessions(
    bank: string,
    query: { limit?: number; offset?: number; newest?: boolean; } = {},
    options: CallOptions = {},
  ): Promise<SessionsReply> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/sessions`, { query, ...options });
  }

  /** Log that a conversation began. */
  startSession(
    bank: string,
    body: StartSessionBody,
    options: CallOptions = {},
  ): Promise<Session> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/sessions`, { body, ...options });
  }

  /** Log that a conversation ended. */
  endSession(bank: string, body: EndSessionBody, options: CallOptions = {}): Promise<Session> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/sessions/end`, { body, ...options });
  }

  /** How many memories were told, or happened, when. */
  histogram(
    bank: string,
    query: { id?: string[]; type?: Array<"fact" | "preference" | "event" | "entity" | "opinion" | "experience" | "message" | string>; tag?: string[]; metadata?: { [name: string]: MetadataValue }; session?: string; speaker?: string; key?: string; entity?: number | string; told_from?: string; told_to?: string; occurred_from?: string; occurred_to?: string; entity_id?: number; text?: string; as_of?: string; known_at?: string; author?: string; origin?: string; by?: "told" | "occurred"; grain?: "auto" | "day" | "week" | "month" | "year"; } = {},
    options: CallOptions = {},
  ): Promise<Histogram> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/histogram`, { query, ...options });
  }

  /** What stands next to a memory or an entity. */
  neighbourhood(
    bank: string,
    query: { unit?: string; entity?: number | string; limit?: number; } = {},
    options: CallOptions = {},
  ): Promise<Neighbourhood> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/neighbourhood`, { query, ...options });
  }

  /** One entity, and what joins it to others. */
  entity(
    bank: string,
    entity: string | number,
    options: CallOptions = {},
  ): Promise<EntityCard> {
    return this.json("GET", `/v1/banks/${encodeURIComponent(bank)}/entities/${encodeURIComponent(entity)}`, options);
  }

  /** What a merge would do. */
  previewMerge(
    bank: string,
    body: PreviewMergeBody,
    options: CallOptions = {},
  ): Promise<EntityChange> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/merge/preview`, { body, ...options });
  }

  /** What a split would do. */
  previewSplit(
    bank: string,
    entity: string | number,
    body: PreviewSplitBody,
    options: CallOptions = {},
  ): Promise<EntityChange> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/${encodeURIComponent(entity)}/split/preview`, { body, ...options });
  }

  /** What an alias would do. */
  previewAlias(
    bank: string,
    entity: string | number,
    body: PreviewAliasBody,
    options: CallOptions = {},
  ): Promise<EntityChange> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/entities/${encodeURIComponent(entity)}/alias/preview`, { body, ...options });
  }

  /** Read a file of JSON lines into a bank. */
  importLines(
    bank: string,
    body: BodyInit,
    query: { keep_going?: boolean; } = {},
    options: CallOptions = {},
  ): Promise<TaskReply> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/import`, { body, media: "application/x-ndjson", query, ...options });
  }

  /** Read another program's file into a bank. */
  importFile(
    bank: string,
    body: BodyInit,
    query: { name?: string; kind?: "scrubjay" | "claude-code" | "codex" | "chatgpt" | "claude" | "hindsight" | "slack" | "mcp-memory" | "mem0" | "markdown" | "csv" | "jsonl"; map?: string[]; keep_going?: boolean; } = {},
    options: CallOptions = {},
  ): Promise<TaskReply> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/import/file`, { body, media: "application/octet-stream", query, ...options });
  }

  /** What a file holds, before it is imported. */
  previewImport(
    bank: string,
    body: BodyInit,
    query: { name?: string; kind?: "scrubjay" | "claude-code" | "codex" | "chatgpt" | "claude" | "hindsight" | "slack" | "mcp-memory" | "mem0" | "markdown" | "csv" | "jsonl"; map?: string[]; } = {},
    options: CallOptions = {},
  ): Promise<ImportPreview> {
    return this.json("POST", `/v1/banks/${encodeURIComponent(bank)}/import/preview`, { body, media: "application/octet-stream", query, ...options });
  }

  /** Write a bank as JSON lines. */
  exportLines(bank: string, options: CallOptions = {}): Promise<Response> {
    return this.stream("GET", `/v1/banks/${encodeURIComponent(bank)}/export`, options);
  }

  /** How far long work is, and how it ended. */
  task(task: string, options: CallOptions = {}): Promise<TaskReply> {
    return this.json("GET", `/v1/tasks/${encodeURIComponent(task)}`, options);
  }

  /** Banks, tasks and times of the whole server. */
  status(options: CallOptions = {}): Promise<Status> {
    return this.json("GET", "/v1/status", options);
  }

  /** The newest long work. */
  tasks(options: CallOptions = {}): Promise<TaskReplies> {
    return this.json("GET", "/v1/tasks", options);
  }

  /** What is told and asked, as it happens. */
  events(
    bank: string,
    query: { limit?: number; seconds?: number; } = {},
    options: CallOptions = {},
  ): Promise<Response> {
    return this.stream("GET", `/v1/banks/${encodeURIComponent(bank)}/events`, { query, ...options });
  }

  /** Who asks, and what they may do. */
  whoami(options: CallOptions = {}): Promise<Whoami> {
    return this.json("GET", "/v1/whoami", options);
  }

  /** Every key of the server, without its secret. */
  keys(options: CallOptions = {}): Promise<KeyCards> {
    return this.json("GET", "/v1/keys", options);
  }

  /** Make a key, which is shown this once. */
  createKey(body: KeyBody, options: CallOptions = {}): Promise<KeyMade> {
    return this.json("POST", "/v1/keys", { body, ...options });
  }

  /** Close a key at once and for good. */
  revokeKey(key: string, options: CallOptions = {}): Promise<KeyCard> {
    return this.json("DELETE", `/v1/keys/${encodeURIComponent(key)}`, options);
  }

  /** Whether the process answers. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.json("GET", "/health", options);
  }

  /** Whether the store answers too. */
  ready(options: CallOptions = {}): Promise<Health> {
    return this.json("GET", "/ready", options);
  }

  /** Metrics for Prometheus. */
  metrics(options: CallOptions = {}): Promise<string> {
    return this.text("GET", "/metrics", options);
  }
}
