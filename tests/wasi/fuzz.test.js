// A short run of the calls at random; a long one is made by `python build.py test --all`.

import { fuzz } from "./fuzz.js";
import { test } from "./testing.js";

test("no row of calls at random makes the host throw, hang or lose count of its tree", async () => {
  for (let seed = 1; seed <= 60; seed++) await fuzz(seed, 400);
});
