import { afterAll, describe, expect, it } from "vitest";
import { accountMail } from "./clauses/account-mail.ts";
import { accountWorkspaces } from "./clauses/account-workspaces.ts";
import { accounts } from "./clauses/accounts.ts";
import { agents } from "./clauses/agents.ts";
import { apiKeys } from "./clauses/api-keys.ts";
import { artifacts } from "./clauses/artifacts.ts";
import { assets } from "./clauses/assets.ts";
import { balanceAndUsage } from "./clauses/balance-and-usage.ts";
import { billing } from "./clauses/billing.ts";
import { brands } from "./clauses/brands.ts";
import { commonRefusals } from "./clauses/common-refusals.ts";
import { deliveries } from "./clauses/deliveries.ts";
import { foreignStores } from "./clauses/foreign-stores.ts";
import { images } from "./clauses/images.ts";
import { imports } from "./clauses/imports.ts";
import { jobCancels } from "./clauses/job-cancels.ts";
import { jobRefusals } from "./clauses/job-refusals.ts";
import { jobs } from "./clauses/jobs.ts";
import { jobsAtOnce } from "./clauses/jobs-at-once.ts";
import { lists } from "./clauses/lists.ts";
import { mailReports } from "./clauses/mail-reports.ts";
import { packDesign } from "./clauses/pack-design.ts";
import { previews } from "./clauses/previews.ts";
import { publicRoutes } from "./clauses/public-routes.ts";
import { shares } from "./clauses/shares.ts";
import { signedLinks } from "./clauses/signed-links.ts";
import { trial } from "./clauses/trial.ts";
import { uploadBytes } from "./clauses/upload-bytes.ts";
import { uploadCompletion } from "./clauses/upload-completion.ts";
import { uploads } from "./clauses/uploads.ts";
import { DRIFT_EXCEPTIONS } from "./drift-exceptions.ts";
import { undeclaredStatuses, unseenStatuses } from "./support/coverage.ts";
import { findDrift } from "./support/drift.ts";
import { type Harness, startHarness } from "./support/harness.ts";
import { OPERATIONS } from "./support/openapi.ts";
import { trafficSoFar } from "./support/traffic.ts";

/**
 * Conformance with the API reference (docs/api.md), clause by clause: black box over HTTP, against the built worker.
 * All clauses share one set of services, because starting workerd takes longer than most of them.
 */

const harness: Harness = await startHarness();
afterAll(() => harness.close());

commonRefusals(harness);
balanceAndUsage(harness);
apiKeys(harness);
lists(harness);
trial(harness);
uploads(harness);
imports(harness);
uploadBytes(harness);
uploadCompletion(harness);
assets(harness);
brands(harness);
images(harness);
previews(harness);
jobs(harness);
jobRefusals(harness);
packDesign(harness);
jobCancels(harness);
jobsAtOnce(harness);
artifacts(harness);
signedLinks(harness);
shares(harness);
publicRoutes(harness);
accounts(harness);
accountMail(harness);
mailReports(harness);
billing(harness);
accountWorkspaces(harness);
agents(harness);
deliveries(harness);
foreignStores(harness);

/** The statuses that API §4.2 lists for the operations of API §4.1, written independently of the routes. */
const ROUTE_STATUSES: Readonly<Record<string, readonly number[]>> = {
  "POST /api/mail/events": [200, 400, 413, 501],
  "POST /api/billing/events": [200, 400, 413, 429, 501],
  "POST /api/v1/agent/trial-key": [201, 400, 429, 501],
  "GET /api/v1/balance": [200, 401, 403, 429, 501],
  "GET /api/v1/usage": [200, 401, 403, 429, 501],
  "GET /api/v1/api-keys": [200, 401, 403, 429, 501],
  // 409: a workspace with the maximum number of active keys (API §5.11).
  "POST /api/v1/api-keys": [201, 401, 403, 409, 429, 501],
  "DELETE /api/v1/api-keys/{apiKeyId}": [200, 401, 403, 404, 429, 501],
  "GET /api/v1/assets": [200, 401, 403, 429, 501],
  "GET /api/v1/assets/{assetId}": [200, 401, 403, 404, 429, 501],
  "DELETE /api/v1/assets/{assetId}": [200, 401, 403, 404, 429, 501],
  "POST /api/v1/assets/uploads": [200, 201, 400, 401, 403, 409, 429, 501],
  "POST /api/v1/assets/imports": [200, 202, 400, 401, 403, 409, 422, 429, 501],
  "PUT /api/v1/assets/uploads/{uploadId}/object": [204, 400, 401, 403, 404, 409, 413, 422, 429, 501],
  "PUT /api/v1/assets/upload-object": [204, 400, 401, 403, 404, 413, 422, 429, 501],
  "POST /api/v1/assets/uploads/{uploadId}/complete": [200, 400, 401, 403, 404, 409, 422, 429, 501, 502],
  "GET /api/v1/previews/quota": [200, 401, 403, 501, 503],
  "POST /api/v1/previews": [200, 400, 401, 403, 409, 429, 501, 502, 503],
  "GET /api/v1/jobs": [200, 401, 403, 429, 501],
  "POST /api/v1/jobs": [200, 202, 400, 401, 402, 403, 409, 422, 429, 501],
  "GET /api/v1/jobs/{jobId}": [200, 401, 403, 404, 429, 501],
  "POST /api/v1/jobs/{jobId}/cancel": [200, 401, 403, 404, 409, 429, 501],
  "GET /api/v1/artifacts/{artifactId}": [200, 401, 403, 404, 429, 501],
  "GET /api/v1/artifacts/{artifactId}/download": [200, 401, 403, 404, 409, 429, 501],
  "GET /api/v1/artifacts/{artifactId}/files/{fileId}/download": [200, 401, 403, 404, 409, 429, 501],
};

/** Statuses that cannot be produced over HTTP, with the test that covers each. */
const SEEN_ELSEWHERE = [
  // A sign-in provider's answer: test/integration/account-oauth.long.test.ts.
  "finishOAuth 200",
  "finishOAuth 303",
  "finishOAuth 500",
  // A failing rate limiter: test/integration/account-oauth.long.test.ts.
  "startOAuth 500",
  // A failing rate limiter, on a route that answers before any read:
  // test/integration/account-mail.long.test.ts.
  "askPasswordReset 500",
  // A suspended workspace: test/integration/suspended-workspace.test.ts.
  ...["listWorkspaceDestinations 403", "getWorkspaceDestination 403"],
  ...["listWorkspaceDeliveries 403", "getWorkspaceDelivery 403"],
  // A failing database: test/integration/health.test.ts.
  "getHealth 503",
  // A workspace that is moving: test/integration/shard-keys.test.ts covers all writes.
  "receiveBillingEvent 429",
  // An image that is being drawn, has failed, or exceeds a limit: test/integration/image-urls.test.ts.
  ...["getImage 429", "getImage 502", "getImage 503"],
  // A refusal by the payment provider, which one function handles for all routes:
  // test/integration/billing-checkout.long.test.ts.
  "setTopUp 502",
];

/** Statuses that a route may declare although API §4.2 does not list them for it, such as 304 for file routes. */
const ADDED = [304, 400, 415, 500];

describe("API §4.2 the OpenAPI document declares exactly the statuses of API §4.2, and each one occurs", () => {
  it.each(Object.entries(ROUTE_STATUSES))(
    "API §4.2 %s declares the listed statuses and no others",
    (operation, row) => {
      const declared = OPERATIONS.find(({ name }) => name === operation)?.statuses ?? [];
      expect(declared).toEqual(expect.arrayContaining([...row]));
      expect(declared.filter((status) => !row.includes(status) && !ADDED.includes(status))).toEqual([]);
    },
  );

  it("every declared status of every operation occurs in this run, and no undeclared status", () => {
    expect(unseenStatuses().filter((status) => !SEEN_ELSEWHERE.includes(status))).toEqual([]);
    expect(undeclaredStatuses()).toEqual([]);
  });
});

/** Timeout of the comparison, which takes ten seconds of CPU, but longer on a busy machine. */
const DRIFT_MS_MAX = 300_000;

it(
  "all exchanges match schema/openapi.json except for the listed differences, which all occur",
  async () => {
    const { exchanges, places } = await findDrift(trafficSoFar());
    // A lower bound, because the number of polls depends on the machine.
    expect(exchanges).toBeGreaterThan(1_500);
    const unlisted = [...places].filter(([name]) => DRIFT_EXCEPTIONS[name] === undefined);
    expect(unlisted).toEqual([]);
    expect(Object.keys(DRIFT_EXCEPTIONS).filter((name) => !places.has(name))).toEqual([]);
  },
  DRIFT_MS_MAX,
);
