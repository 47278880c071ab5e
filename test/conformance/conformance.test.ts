import { afterAll, expect, it } from "vitest";
import { jobs } from "./clauses/jobs.ts";
import { publicRoutes } from "./clauses/public-routes.ts";
import { uploadBytes } from "./clauses/upload-bytes.ts";
import { undeclaredStatuses } from "./support/coverage.ts";
import { type MainHarness, startMainHarness } from "./support/harness.ts";

/**
 * The way to a pack as the API reference (docs/api.md) has it: black box, HTTP only, against the built worker. All
 * clauses, every declared status and the document itself are in conformance.long.test.ts.
 */

const harness: MainHarness = await startMainHarness();
afterAll(() => harness.close());

uploadBytes(harness);
jobs(harness);
publicRoutes(harness);

it("API §4.2 what was answered on the way is declared", () => {
  expect(undeclaredStatuses()).toEqual([]);
});
