import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { it } from "vitest";

/** Guarantee: schema/openapi.json is what the routes say. */

it("nothing generated is out of date", async () => {
  // Its own process: plain Node.js, as CI runs it, not the test runner's module loader.
  await promisify(execFile)(process.execPath, ["scripts/make/openapi.ts", "--check"]);
});
