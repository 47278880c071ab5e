import { expect, it } from "vitest";
import { CreativePacks } from "../../../sdk/src/index.ts";
import { type FaultKind, faultyNetwork } from "../support/faults.ts";
import { all, LOGO, SMALL, type World } from "../support/world.ts";

const SEED = 20_261_122;
/** Number of packs. `npm run test:sdk` makes all of them in a minute; `npm test` makes a tenth. */
const PACKS = process.env.SDK_SCALE === "full" ? 100 : 10;
const FAULTS_OF_A_PACK = 10;
/** Concurrent packs: enough for waits to overlap, but so few that no call times out. */
const AT_A_TIME = 40;
/** Every tenth pack uploads its own logo over the faulty network. */
const UPLOADS = PACKS / 10;

/** Enough retries for every fault of a pack to hit the same call. */
const CALM = { maxRetries: 40, timeoutMs: 8_000, backoffMs: { first: 5, longest: 40 } };

export const faults = (world: () => World): void => {
  it(`${PACKS * FAULTS_OF_A_PACK} network faults (seed ${SEED}): ${PACKS} packs, ${PACKS} charges, an exact ledger`, async () => {
    const credits = PACKS + 7;
    const apiKey = await world().key(credits);
    const baseUrl = world().service.origin;
    const sure = new CreativePacks({ apiKey, baseUrl });
    const shared = await sure.assets.upload(LOGO, { slot: "logo", name: "shared.svg" });
    const counts = new Map<FaultKind, number>();
    const began = performance.now();

    /** Orders, awaits and downloads a pack. Then makes small calls until all faults of its network have occurred. */
    const makeOne = async (at: number): Promise<string> => {
      const network = faultyNetwork(SEED + at, FAULTS_OF_A_PACK, counts);
      const client = new CreativePacks({ apiKey, baseUrl, fetch: network.fetch, ...CALM });
      const isOwn = at % (PACKS / UPLOADS) === 0;
      const name = `logo-${at}.svg`;
      const logo = isOwn ? await client.assets.upload(LOGO, { slot: "logo", name, again: true }) : shared;
      const pack = await client.packs.create({ ...SMALL, assetIds: { logo: logo.assetId } });
      await pack.wait();
      const written = new Map<string, number>();
      await pack.download((file, bytes) => void written.set(file, bytes.byteLength));
      expect([...written.keys()].sort()).toEqual(["iab-320x50.png", "manifest.json"]);
      while (network.left() > 0) await client.balance.get();
      return pack.id;
    };
    const ids: string[] = [];
    const waiting = Array(PACKS).keys();
    const worker = async (): Promise<void> => {
      for (const at of waiting) ids.push(await makeOne(at));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `${PACKS} packs with ${JSON.stringify(Object.fromEntries(counts))} in ${seconds.toFixed(1)} s`,
    );

    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(PACKS * FAULTS_OF_A_PACK);
    const jobs = await all(sure.jobs.list({ limit: 100 }));
    expect(jobs.map(({ jobId }) => jobId).sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(PACKS);
    expect(jobs.every(({ status }) => status === "succeeded")).toBe(true);
    const charges = (await all(sure.usage.list({ limit: 100 }))).filter(({ type }) => type !== "grant");
    expect(charges.map(({ type, amount }) => `${type} ${amount}`)).toEqual(
      Array(PACKS).fill("consumption -1"),
    );
    expect(new Set(charges.map(({ jobId }) => jobId)).size).toBe(PACKS);
    expect((await sure.balance.get()).credits.available).toBe(credits - PACKS);
    expect(await all(sure.assets.list({ limit: 100 }))).toHaveLength(1 + UPLOADS);
  }, 600_000);
};
