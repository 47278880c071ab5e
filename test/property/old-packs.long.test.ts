import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { archiveOldPacks } from "#domains/artifacts/archive-packs.ts";
import { everyDatabase } from "#platform/databases/databases.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import { selectRows, selectValue } from "../support/database.ts";
import { boundDatabases } from "../support/homes.ts";
import { askAboutPacks } from "../support/old-pack-answers.ts";
import { type OldPack, type OldPackChoice, storeOldPack } from "../support/old-packs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { createWorkspace } from "../support/workspace.ts";

/**
 * Every answer about an archived pack is byte-identical to the answer before archiving. The ledger is unchanged, and no
 * row is archived early.
 */

beforeAll(freshStorage);
beforeEach(silenceLogs);

const DAY_MS = 86_400_000;
/** The current time of the test. All packs are older. */
const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z");
const RUNS = 6;
const SEED = 20_260_301;

const text = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" });
const SIZES = ["iab-320x50", "iab-120x60", "iab-300x250", "iab-728x90", "iab-160x600"];

const choice = fc.record({
  /** How many days ago the pack's files were deleted; null if they still exist. */
  deletedDaysAgo: fc.option(fc.integer({ min: 27, max: 34 }), { freq: 6 }),
  sizeIds: fc.subarray(SIZES, { minLength: 1 }),
  isAnimated: fc.boolean(),
  copy: fc.record(
    { headline: text, subheadline: text, cta: text, disclaimer: text, price: text, badge: text },
    { requiredKeys: [] },
  ),
  brand: fc.record({ primaryColor: fc.constant("#0b5fff"), textColor: fc.constant("#ffffff") }),
  placements: fc.constantFrom({}, { media: { focalPoint: { x: 0.1, y: 1 } } }),
  overrides: fc.constantFrom({}, { "iab-320x50": { copy: { headline: "" }, variant: 3 } }),
  fingerprint: fc.nat({ max: 2 }),
  hasManifestObject: fc.boolean(),
});

const rowsOf = (workspaceId: string) =>
  selectRows<{ jobId: string; isArchived: number; files: string; purgedAt: number | null }>`
    SELECT j.job_id AS jobId, j.archive IS NOT NULL AS isArchived, a.files, a.purged_at AS purgedAt
    FROM jobs j JOIN artifacts a ON a.artifact_id = j.artifact_id WHERE j.workspace_id = ${workspaceId}`;

/** Whether a pack is due: thirty days have passed since the end of the day on which its files were deleted. */
const isDue = (purgedAt: number | null): boolean =>
  purgedAt !== null && (Math.floor(purgedAt / DAY_MS) + 1) * DAY_MS <= NOW_MS - 30 * DAY_MS;

/** Runs the sweep in all databases; returns the number of archived packs. */
async function archive(): Promise<number> {
  let count = 0;
  for (const { db } of everyDatabase(boundDatabases())) {
    count += await archiveOldPacks(db, env.BUCKET, NOW_MS, 50);
  }
  return count;
}

it("answers about archived packs are unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 8 }), async (choices) => {
      const asker = await createWorkspace({ credits: 10 });
      const packs: OldPack[] = [];
      for (const [at, { deletedDaysAgo, fingerprint, ...made }] of choices.entries()) {
        const pack: OldPackChoice = {
          ...made,
          createdAtMs: Date.parse("2025-12-01T00:00:00.000Z") + at,
          filesDeletedAtMs: deletedDaysAgo === null ? null : NOW_MS - deletedDaysAgo * DAY_MS,
          renderFingerprint: String(fingerprint).repeat(64),
        };
        packs.push(await storeOldPack(asker.workspaceId, pack));
      }
      const ledger = () => selectRows`SELECT * FROM ledger_events WHERE workspace_id = ${asker.workspaceId}`;
      const [events, before] = [await ledger(), await askAboutPacks(asker, packs)];
      const due = (await rowsOf(asker.workspaceId)).filter(({ purgedAt }) => isDue(purgedAt)).length;
      expect(await archive()).toBe(due);
      expect(await archive()).toBe(0);
      for (const { isArchived, files, purgedAt } of await rowsOf(asker.workspaceId)) {
        expect([isArchived, files === "[]"]).toEqual(isDue(purgedAt) ? [1, true] : [0, false]);
      }
      expect(await askAboutPacks(asker, packs)).toEqual(before);
      expect(await ledger()).toEqual(events);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

it("an archived pack of ten keeps only a small part of its bytes", async () => {
  const { workspaceId } = await createWorkspace();
  const bytes = () =>
    selectValue<number>`SELECT
        (SELECT sum(length(j.selected_size_ids) + length(j.asset_ids) + length(j.copy) + length(j.brand)
          + length(j.overrides) + length(j.placements) + length(j.render_inputs) + 2 * length(j.render_fingerprint)
          + coalesce(length(j.archive), 0)) FROM jobs j WHERE j.workspace_id = ${workspaceId})
        + (SELECT sum(length(a.files) + coalesce(length(a.manifest_sha256), 0)) FROM artifacts a
          WHERE a.workspace_id = ${workspaceId})`;
  await storeOldPack(workspaceId, {
    sizeIds: [...SIZES, ...SIZES.map((size) => `${size}-b`)],
    isAnimated: false,
    copy: { headline: "Two wheels, no excuses", cta: "Ride one today" },
    brand: {},
    placements: {},
    overrides: {},
    renderFingerprint: "ab".repeat(32),
    hasManifestObject: true,
    createdAtMs: 1,
    filesDeletedAtMs: NOW_MS - 40 * DAY_MS,
  });
  const before = (await bytes()) ?? 0;
  expect(await archive()).toBe(1);
  expect((await bytes()) ?? 0).toBeLessThan(before / 10);
});
