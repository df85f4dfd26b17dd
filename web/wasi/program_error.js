// Why a module cannot be run.

export class ProgramError extends Error {
  /** @param {string} what the rest of a sentence that begins with the module's name */
  constructor(what) {
    super(what);
    this.name = "ProgramError";
  }
}
