import { afterAll, describe, expect, it } from "vitest";
import { artifacts } from "./clauses/artifacts.ts";
import { jobs } from "./clauses/jobs.ts";
import { publicRoutes } from "./clauses/public-routes.ts";
import { signedLinks } from "./clauses/signed-links.ts";
import { uploadBytes } from "./clauses/upload-bytes.ts";
import { undeclaredStatuses } from "./support/coverage.ts";
import { type Harness, startHarness } from "./support/harness.ts";

/**
 * The way to a pack as the API reference (docs/api.md) has it: black box, HTTP only, against the built worker. All
 * clauses, every declared status and the document itself are in conformance.long.test.ts.
 */

const harness: Harness = await startHarness();
afterAll(() => harness.close());

uploadBytes(harness);
jobs(harness);
artifacts(harness);
signedLinks(harness);
publicRoutes(harness);

describe("API §4.2 what was answered on the way", () => {
  it("is declared", () => {
    expect(undeclaredStatuses()).toEqual([]);
  });
});
