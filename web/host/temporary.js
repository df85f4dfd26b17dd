// Files on their way into place in a person's folder: imports never see them, and a crash can leave them.

const PREFIX = ".py-agent-";

export function temporaryName() {
  return PREFIX + crypto.randomUUID();
}

/**
 * What a crash left of ours in a directory that is to go: nobody sees it, so nobody else would remove it.
 * @param {string[]} names
 */
export function leftIn(names) {
  return names.filter((name) => name.startsWith(PREFIX));
}
