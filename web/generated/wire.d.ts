// Made by `python build.py types` from the models in py_agent/core/; do not edit.

/** Answer a `permission.question`. `message` goes to the model; `interrupt` ends the run as well. */
export interface AnswerInput {
  type: "answer";
  question_id: string;
  allowed: boolean;
  message?: string;
  interrupt?: boolean;
}

/** A piece of text as it arrives; streamed, never stored. */
export interface AssistantDelta {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "assistant.delta";
  text_delta: string;
}

/** A finished response. One `tool.use` for each of `call_ids` follows in the same batch.
 * `cut_off` says why it ends too early; then its calls, none of them sure to be whole, are left out. */
export interface AssistantMessage {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "assistant.message";
  text: string;
  text_blob?: BlobRef;
  call_ids: Array<string>;
  provider_items?: ProviderItems;
  usage?: Usage;
  cut_off?: string;
}

/** A piece of what the model lets us see of its reasoning; streamed, never stored. */
export interface AssistantReasoningDelta {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "assistant.reasoning_delta";
  text_delta: string;
}

/** Bytes kept beside the log, named by their hash. */
export interface BlobRef {
  sha256: string;
  size_bytes: number;
}

/** End the run. */
export interface CancelInput {
  type: "cancel";
}

/** One path's entry before and after; None is absence. */
export interface Change {
  path: string;
  before?: TreeEntry;
  after?: TreeEntry;
}

/** A path that was changed on both sides, or that a commit may not touch. */
export interface Conflict {
  path: string;
  reason: string;
  folder?: TreeEntry;
}

/** Ask for the workspace's tree. */
export interface FilesInput {
  type: "files";
}

/** A picture, kept as a blob; `data` is there once it was read back. */
export interface Image {
  mime_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  blob: BlobRef;
}

export type Input =
  | RunInput
  | ResumeInput
  | CancelInput
  | AnswerInput
  | FilesInput
  | ReadInput;

export type KnownEvent =
  | SystemInit
  | UserMessage
  | AssistantDelta
  | AssistantReasoningDelta
  | AssistantMessage
  | ModelRetried
  | ToolUse
  | ToolResult
  | NetFetch
  | PermissionQuestion
  | PermissionDecision
  | RunResumed
  | Result
  | WorkspaceImport
  | WorkspaceChanged
  | WorkspaceDiff
  | WorkspaceCommit
  | SessionRecovered
  | SessionRepaired;

/** The model is asked again after `delay_seconds`; what was streamed of this step so far counts for nothing. */
export interface ModelRetried {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "model.retried";
  attempt: number;
  reason: string;
  delay_seconds: number;
}

export interface NetFetch {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "net.fetch";
  tool_use_id: string;
  url: string;
  status: number;
  bytes: number;
  truncated: boolean;
  duration_seconds: number;
}

/** Always stored before a call begins: a decision without a result is a call in doubt. */
export interface PermissionDecision {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "permission.decision";
  tool_use_id: string;
  allowed: boolean;
  rule: string;
  question_id?: string;
  message?: string;
  interrupt: boolean;
}

/** Asked of the person; `reason` says why it is asked (a rule, a doubt, a loop). */
export interface PermissionQuestion {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "permission.question";
  question_id: string;
  tool_use_id: string;
  tool_name: string;
  prompt: string;
  reason: string;
}

/** A response's output items, verbatim and in order, tagged by wire format.
 * `response_id` is there if the server keeps the response and can be asked to go on from it. */
export interface ProviderItems {
  format: string;
  items: Array<Record<string, unknown>>;
  items_blob?: BlobRef;
  response_id?: string;
}

/** Ask for one file's text. */
export interface ReadInput {
  type: "read";
  path: string;
}

/** The end of a run. */
export interface Result {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "result";
  final_text: string;
  stop_reason: "end" | "max_steps" | "max_seconds" | "max_tokens" | "max_cost" | "loop" | "cancelled" | "error";
  usage: Usage;
  error_type?: string;
  error_message?: string;
}

/** Go on with the run that was cut off. */
export interface ResumeInput {
  type: "resume";
}

/** Start a run with the person's words. */
export interface RunInput {
  type: "run";
  text: string;
}

/** A run that a crash or an exit cut off goes on. */
export interface RunResumed {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "run.resumed";
}

/** A torn last line was cut off when the log was opened; its start is kept here. */
export interface SessionRecovered {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "session.recovered";
  dropped_bytes: number;
  dropped_text: string;
}

/** This session was salvaged from a damaged one; the lines named there were lost. */
export interface SessionRepaired {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "session.repaired";
  from_session_id: string;
  lost_lines: Array<number>;
}

/** What an import left out: how many, and some of their paths. `rules` are ignore files too long to be read. */
export interface Skipped {
  reason: "ignored" | "too_large" | "too_many" | "too_much" | "name" | "special" | "unreadable" | "rules";
  count: number;
  examples: Array<string>;
}

/** The fixed prefix of every request: `prefix` holds instructions, environment and tool schemas. */
export interface SystemInit {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "system.init";
  sdk_version: string;
  cwd: string;
  options_summary: Record<string, unknown>;
  prefix: BlobRef;
}

export interface ToolResult {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "tool.result";
  tool_use_id: string;
  output?: unknown;
  output_blob?: BlobRef;
  is_error: boolean;
  error_type?: string;
  error_message?: string;
}

export interface ToolUse {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "tool.use";
  tool_use_id: string;
  call_id: string;
  name: string;
  input: Record<string, unknown>;
  input_blob?: BlobRef;
}

/** A file (`sha256` set), a symlink (`target` set) or a directory.
 * A file is racy if its time is too young to tell by it whether the file changes again. */
export interface TreeEntry {
  kind: "file" | "dir" | "symlink";
  sha256?: string;
  target?: string;
  size: number;
  mtime_ns: number;
  executable: boolean;
  is_racy: boolean;
}

/** An event of a later version: kept and passed on as it is. */
export interface UnknownEvent {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: string;
}

export interface Usage {
  input: number;
  output: number;
  reasoning: number;
  cache_read: number;
  cache_write: number;
  cost_usd: number;
}

export interface UserMessage {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "user.message";
  text: string;
  text_blob?: BlobRef;
  images: Array<Image>;
}

/** One transaction on the workspace, whole. */
export interface WorkspaceChanged {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "workspace.changed";
  origin: "person" | "tool" | "folder";
  tool_use_id?: string;
  changes: Array<Change>;
  changes_blob?: BlobRef;
}

/** What was written to the real folder. */
export interface WorkspaceCommit {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "workspace.commit";
  target: string;
  changes: Array<Change>;
  changes_blob?: BlobRef;
  conflicts: Array<Conflict>;
}

/** How the workspace differs from the folder when a run ends. */
export interface WorkspaceDiff {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "workspace.diff";
  adds: number;
  modifies: number;
  deletes: number;
}

/** What was taken over from the real folder. `settled` paths only become the new base. */
export interface WorkspaceImport {
  seq?: number;
  ts?: number;
  session_id?: string;
  run_id?: string;
  step?: number;
  type: "workspace.import";
  source: string;
  changes: Array<Change>;
  changes_blob?: BlobRef;
  settled: Array<Change>;
  settled_blob?: BlobRef;
  conflicts: Array<Conflict>;
  skipped: Array<Skipped>;
}
