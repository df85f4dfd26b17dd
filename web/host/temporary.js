// Files on their way into place in a person's folder: imports never see them, and a crash can leave them.

const PREFIX = ".py-agent-";

export function temporaryName() {
  return PREFIX + crypto.randomUUID();
}
