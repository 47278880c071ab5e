import { afterAll, expect, it } from "vitest";
import { jobs } from "./clauses/jobs.ts";
import { publicRoutes } from "./clauses/public-routes.ts";
import { uploadBytes } from "./clauses/upload-bytes.ts";
import { undeclaredStatuses } from "./support/coverage.ts";
import { type MainHarness, startMainHarness } from "./support/harness.ts";

/**
 * The path to a pack in the API reference (docs/api.md): black box over HTTP, against the built worker. All clauses and
 * statuses are in conformance.long.test.ts.
 */

const harness: MainHarness = await startMainHarness();
afterAll(() => harness.close());

uploadBytes(harness);
jobs(harness);
publicRoutes(harness);

it("API §4.2 every answer on the way is declared", () => {
  expect(undeclaredStatuses()).toEqual([]);
});
