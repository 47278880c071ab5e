import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { countRows, selectRows } from "../support/database.ts";
import { expectInvariants } from "../support/jobs.ts";
import { seededRandom } from "../support/pictures.ts";
import { newCaller, postOrder, SIZE_IDS } from "./client.ts";
import { strayObjects } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import { runWithFaults } from "./random-faults.ts";
import { quietWorld } from "./world.ts";

/**
 * After random faults of the service and of file servers, each order with files by URL is accepted and charged once, or
 * refused and not charged, and imports each file at most once.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2037-01-01T00:00:00.000Z");
const ORDERS = 8;
const CREDITS = 100;

const svg = (bytes: Uint8Array | ReadableStream, status = 200) =>
  new Response(bytes, { status, headers: { "Content-Type": "image/svg+xml" } });
const cutShort = () =>
  svg(
    new ReadableStream({
      start: (controller) => controller.enqueue(LOGO.subarray(0, 40)),
      pull: (controller) => controller.error(new Error("the connection broke")),
    }),
  );

/** The first answer of each server. `once`: later requests get the file; `ever`: all get the same answer. */
const SERVERS: readonly { readonly first: () => Response; readonly isFor: "once" | "ever" }[] = [
  { first: () => svg(LOGO), isFor: "ever" },
  { first: cutShort, isFor: "once" },
  { first: () => svg(LOGO, 503), isFor: "once" },
  { first: () => svg(LOGO, 404), isFor: "once" },
  // A server that does not answer, so that the request fails.
  {
    first: () => {
      throw new TypeError("no answer");
    },
    isFor: "once",
  },
  {
    first: () => new Response(null, { status: 302, headers: { Location: "https://10.0.0.1/" } }),
    isFor: "ever",
  },
  { first: () => svg(new TextEncoder().encode("<html></html>")), isFor: "ever" },
];

it("random faults leave an exact ledger of orders with files by URL", { timeout: 1_500_000 }, async ({
  task,
}) => {
  const { seed, orderFaults } = stressScale();
  const chosen = seed ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
  console.log(`STRESS_SEED=${chosen} STRESS_ORDER_FAULTS=${orderFaults} replays these faults`);
  const random = seededRandom(chosen);
  let faults = 0;
  for (let history = 0; faults < orderFaults; history += 1) {
    const world = quietWorld(START_MS);
    const caller = await newCaller({ credits: CREDITS });
    const asked = new Map<string, number>();
    const servers = Array.from({ length: ORDERS }, () => SERVERS[Math.floor(random() * SERVERS.length)]);
    world.receive = async ({ url }) => {
      const { hostname } = new URL(url);
      const server = servers[Number(hostname.split(".")[0])];
      const times = asked.get(hostname) ?? 0;
      asked.set(hostname, times + 1);
      return server !== undefined && (server.isFor === "ever" || times === 0) ? server.first() : svg(LOGO);
    };
    const hosts = servers.map((_, at) => `${at}.customer.example`);
    const ends = new Map<string, number>();
    const effects = hosts.map((host) => ({
      ask: async () => {
        const assets = { logo: { url: `https://${host}/logo.svg` } };
        const { status, body } = await postOrder(world, caller, { assets }, host);
        const isForGood =
          status === 200 || status === 202 || body?.error?.details?.safeToRetryUnchanged === false;
        if (isForGood) ends.set(host, status);
        return isForGood;
      },
    }));
    faults += await runWithFaults(world, effects, random);
    const told = `seed ${chosen}, history ${history}: ${JSON.stringify([...ends])}`;
    const { workspaceId } = caller;
    await expectInvariants(workspaceId);
    const accepted = hosts.filter((host) => ends.get(host) !== 422);
    expect(await countRows("jobs", workspaceId), told).toBe(accepted.length);
    // The ledger has the grant, and one consumption per job.
    expect(await countRows("ledger_events", workspaceId), told).toBe(1 + accepted.length);
    const [balance] = await selectRows`SELECT credits FROM workspaces WHERE workspace_id = ${workspaceId}`;
    expect(balance, told).toEqual({ credits: CREDITS - accepted.length * SIZE_IDS.length });
    // One ready asset per accepted order; failed imports leave rejected assets.
    const ready = await selectRows<{ host: string }>`SELECT imported_from AS host FROM assets
      WHERE workspace_id = ${workspaceId} AND status <> 'rejected' ORDER BY 1`;
    expect(
      ready.map(({ host }) => host),
      told,
    ).toEqual(accepted);
    expect(await countRows("asset_imports", workspaceId), told).toBe(0);
    expect(await strayObjects(workspaceId), told).toEqual([]);
  }
  reportStress(task, { counts: { "order faults": faults } });
});
