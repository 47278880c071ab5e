import { beforeAll, expect, it } from "vitest";
import { createAccount, createPasswordAccount, ORIGIN, PASSWORD } from "../support/accounts.ts";
import { callsOf, get, post } from "./calls-of.ts";
import { callerWithLogo, SIZE_IDS } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { quietWorld, type World, type WorldRequest } from "./world.ts";

/** Maximum round trips to database and storage for quotes, previews and the requests of a signed-in page. */

beforeAll(freshStorage);
const START_MS = Date.parse("2033-07-01T00:00:00.000Z");
const DAY_MS = 24 * 3_600_000;

interface Bounds {
  readonly d1: number;
  readonly r2: number;
}

/** Sends a request that must be answered with `status`, and counts its calls. */
async function expectAtMost(world: World, request: WorldRequest, status: number, { d1, r2 }: Bounds) {
  const calls = await callsOf(world, request, status);
  const count = (prefix: string) => calls.filter((call) => call.startsWith(prefix)).length;
  const what = `${request.method} ${request.path}: ${calls.join(", ")}`;
  expect(count("D1 "), what).toBeLessThanOrEqual(d1);
  // Reading an object's body is part of the same trip.
  expect(count("R2 ") - count("R2 body"), what).toBeLessThanOrEqual(r2);
}

it("quotes and previews need few round trips", async () => {
  const world = quietWorld(START_MS);
  const { secret, assetId } = await callerWithLogo(world, { credits: 50 });
  world.restart();
  await world.request(get(secret, "/api/v1/balance"));
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const preview = () => post(secret, "/api/v1/previews", body);
  await expectAtMost(world, post(secret, "/api/v1/jobs/quote", body), 200, { d1: 2, r2: 0 });
  // Reads the cache once, draws from the source, and stores the image and its row.
  await expectAtMost(world, preview(), 200, { d1: 5, r2: 3 });
  await expectAtMost(world, preview(), 200, { d1: 4, r2: 1 });
});

it("signing in and loading a page need few round trips", async () => {
  const world = quietWorld(START_MS);
  const { email } = await createPasswordAccount();
  const { cookie, workspaceId } = await createAccount(START_MS + DAY_MS);
  const page = (method: string, path: string): WorldRequest => ({
    method,
    path: `/api/account/${path}`,
    headers: { Origin: ORIGIN, Cookie: cookie },
  });
  const signIn: WorldRequest = {
    method: "POST",
    path: "/api/account/sign-in",
    headers: { Origin: ORIGIN, "CF-Connecting-IP": "2a00:ffff::1" },
    body: { email, password: PASSWORD },
  };
  await expectAtMost(world, signIn, 200, { d1: 7, r2: 0 });
  await expectAtMost(world, page("GET", "session"), 200, { d1: 2, r2: 0 });
  await expectAtMost(world, page("GET", "workspaces"), 200, { d1: 3, r2: 0 });
  await expectAtMost(world, page("POST", `workspaces/${workspaceId}/session-key`), 201, { d1: 4, r2: 0 });
  for (const list of ["balance", "jobs", "artifacts", "usage"]) {
    await expectAtMost(world, page("GET", `workspaces/${workspaceId}/${list}`), 200, { d1: 4, r2: 0 });
  }
});
