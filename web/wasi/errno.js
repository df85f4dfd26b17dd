// Error numbers of preview 1: thrown inside the host as constants, answered to the guest as numbers.

export class Errno {
  /**
   * @param {number} code
   * @param {string} name
   */
  constructor(code, name) {
    this.code = code;
    this.name = name;
    Object.freeze(this);
  }

  toString() {
    return `the WASI error ${this.name}`;
  }
}

const CODES = {
  ACCES: 2,
  AGAIN: 6,
  BADF: 8,
  BUSY: 10,
  EXIST: 20,
  FAULT: 21,
  FBIG: 22,
  ILSEQ: 25,
  INVAL: 28,
  IO: 29,
  ISDIR: 31,
  LOOP: 32,
  MFILE: 33,
  NAMETOOLONG: 37,
  NOENT: 44,
  NOMEM: 48,
  NOSPC: 51,
  NOSYS: 52,
  NOTDIR: 54,
  NOTEMPTY: 55,
  NOTSOCK: 57,
  NOTSUP: 58,
  PERM: 63,
  SPIPE: 70,
  NOTCAPABLE: 76,
};

/**
 * No stack is taken and nothing is allocated when one of these is thrown: a guest that looks for a file
 * in many places gets many of them.
 */
export const E = /** @type {Readonly<Record<keyof typeof CODES, Errno>>} */ (
  Object.fromEntries(Object.entries(CODES).map(([name, code]) => [name, new Errno(code, name)]))
);

export const SUCCESS = 0;
