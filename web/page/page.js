// A bare page: draws the events that the agent worker tells of, and passes on what the person does.

/** @typedef {import("../generated/wire.d.ts").KnownEvent} Event */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const text = /** @type {HTMLTextAreaElement} */ (element("text"));
const worker = new Worker(new URL("../worker/agent.js", import.meta.url), { type: "module" });

/** @type {HTMLElement | null} */
let answer = null;
/** @type {Map<string, string>} */
const calls = new Map();
let questionId = "";

/** @param {import("../generated/wire.d.ts").Input} message */
const send = (message) => worker.postMessage(JSON.stringify(message));

worker.addEventListener("message", (event) => take(JSON.parse(event.data)));
worker.addEventListener("error", (event) => status(`The agent could not be started: ${event.message}`));

element("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!text.value.trim()) return;
  send({ type: "run", text: text.value });
  text.value = "";
});
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  /** @type {HTMLFormElement} */ (element("composer")).requestSubmit();
});
element("stop").addEventListener("click", () => send({ type: "cancel" }));
element("resume").addEventListener("click", () => {
  setRunning(true);
  send({ type: "resume" });
});
element("allow").addEventListener("click", () => decide(true));
element("deny").addEventListener("click", () => decide(false));

/** @param {any} message */
function take(message) {
  switch (message.type) {
    case "loading":
      return status(`Loading: ${message.step}…`);
    case "ready":
      status(`Ready. ${message.notice || "Nothing reaches your folder until you commit."}`);
      setRunning(false);
      element("approval").hidden = true;
      element("cut-off").hidden = !message.is_unfinished;
      return send({ type: "files" });
    case "event":
      return draw(message.event);
    case "files":
      return drawFiles(message.files);
    case "file":
      element("content").textContent = message.text;
      element("content").hidden = false;
      return;
    case "error":
      return status(message.message);
  }
}

/** @param {Event} event */
function draw(event) {
  switch (event.type) {
    case "user.message":
      setRunning(true);
      return addLine("user", event.text);
    case "assistant.delta":
      answer ??= addLine("assistant", "");
      answer.append(event.text_delta);
      return;
    case "assistant.message":
      if (event.text) (answer ?? addLine("assistant", "")).textContent = event.text;
      answer = null;
      return;
    case "tool.use":
      calls.set(event.tool_use_id, `${event.name} ${event.input.file_path ?? event.input.path ?? ""}`);
      return;
    case "tool.result":
      return drawResult(event);
    case "permission.question":
      return ask(event);
    case "permission.decision":
      element("approval").hidden = true;
      return;
    case "workspace.changed":
      return send({ type: "files" });
    case "result":
      return end(event);
  }
}

/** @param {import("../generated/wire.d.ts").ToolResult} event */
function drawResult(event) {
  const outcome = event.is_error ? `${event.error_type}: ${event.error_message}` : "done";
  addLine(event.is_error ? "failed" : "call", `${calls.get(event.tool_use_id) ?? "call"}: ${outcome}`);
}

/** @param {import("../generated/wire.d.ts").PermissionQuestion} event */
function ask(event) {
  questionId = event.question_id;
  element("reason").textContent = event.reason;
  element("question").textContent = event.prompt;
  element("approval").hidden = false;
}

/** @param {boolean} allowed */
function decide(allowed) {
  send({ type: "answer", question_id: questionId, allowed });
  element("approval").hidden = true;
}

/** @param {import("../generated/wire.d.ts").Result} event */
function end(event) {
  answer = null;
  element("approval").hidden = true;
  setRunning(false);
  if (event.stop_reason !== "end") addLine("failed", `Ended: ${event.error_message ?? event.stop_reason}`);
}

/** @param {{path: string, kind: string}[]} files */
function drawFiles(files) {
  const items = files
    .filter((file) => file.kind === "file")
    .map((file) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = file.path;
      button.addEventListener("click", () => send({ type: "read", path: file.path }));
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
  element("files").replaceChildren(...items);
}

/** @param {string} kind @param {string} words */
function addLine(kind, words) {
  const line = document.createElement("p");
  line.className = kind;
  line.textContent = words;
  element("events").append(line);
  line.scrollIntoView({ block: "nearest" });
  return line;
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  if (isRunning) element("cut-off").hidden = true;
  element("stop").hidden = !isRunning;
  /** @type {HTMLButtonElement} */ (element("send")).disabled = isRunning;
}

/** @param {string} words */
function status(words) {
  element("status").textContent = words;
}
