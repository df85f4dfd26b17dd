// node fuzz_long.js FIRST COUNT STEPS: runs the calls at random for many seeds.

import { fuzz } from "./fuzz.js";

const [first = 1, count = 100, steps = 400] = process.argv.slice(2).map(Number);
for (let seed = first; seed < first + count; seed++) await fuzz(seed, steps);
