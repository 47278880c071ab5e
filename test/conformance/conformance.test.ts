import { afterAll, expect, it } from "vitest";
import { jobs } from "./clauses/jobs.ts";
import { publicRoutes } from "./clauses/public-routes.ts";
import { uploadBytes } from "./clauses/upload-bytes.ts";
import { undeclaredStatuses } from "./support/coverage.ts";
import { type MainHarness, startMainHarness } from "./support/harness.ts";

/**
 * The clauses of the API reference (docs/api.md) about uploads, jobs and public routes: black box over HTTP, against
 * the built worker. conformance.long.test.ts tests all clauses and statuses.
 */

const harness: MainHarness = await startMainHarness();
afterAll(() => harness.close());

uploadBytes(harness);
jobs(harness);
publicRoutes(harness);

it("API §4.2 the OpenAPI document declares the status of every answer", () => {
  expect(undeclaredStatuses()).toEqual([]);
});
