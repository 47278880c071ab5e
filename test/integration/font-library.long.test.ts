import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { newId } from "#platform/ids.ts";
import { fontLibrary } from "#platform/render-engine.ts";
import { loadLibraryFile } from "#renderer/fonts/library-file.ts";
import { FALLBACK_INDEX } from "#renderer/fonts/library-files.ts";
import { heldJob } from "../support/held-jobs.ts";
import { oneOfEachJapaneseFile } from "../support/japanese-files.ts";
import {
  deliver,
  expectInvariants,
  failedBy,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf, detailsOf, refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

it("the font library is read through its binding", async () => {
  expect((await loadLibraryFile(fontLibrary, FALLBACK_INDEX)).length).toBeGreaterThan(100_000);
  await expect(fontLibrary.load("nothing.ttf")).rejects.toThrow("404 for nothing.ttf");
});

describe("a job with copy that needs the library", () => {
  const changes = { copy: { headline: "夏の大セール", cta: "購入" } };

  it("waits during an outage of the library, and is drawn afterwards", async () => {
    const { client, jobId } = await heldJob(changes);
    const messageId = newId();
    vi.spyOn(fontLibrary, "load").mockRejectedValueOnce(new Error("the library is away"));
    const result = await deliver({ jobId, part: 0 }, { messageId });
    expect(result.retryMessages).toMatchObject([{ msgId: messageId }]);
    await deliver({ jobId, part: 0 });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
  });

  it.each([
    ["stays down", () => vi.spyOn(fontLibrary, "load").mockRejectedValue(new Error("the library is away"))],
    ["has other bytes", () => vi.spyOn(fontLibrary, "load").mockResolvedValue(new Uint8Array([0, 1, 0, 0]))],
  ])("is refunded if the library %s", async (_, breakLibrary) => {
    const { client, jobId } = await heldJob(changes);
    breakLibrary();
    const messageId = newId();
    for (let attempts = 1; attempts <= LIMITS.partAttemptsMax; attempts += 1) {
      await deliver({ jobId, part: 0 }, { messageId, attempts });
    }
    expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
    await expectInvariants(client.workspaceId);
  });

  it.each([
    ["is down", () => vi.spyOn(fontLibrary, "load").mockRejectedValue(new Error("the library is away"))],
    ["has other bytes", () => vi.spyOn(fontLibrary, "load").mockResolvedValue(new Uint8Array([0, 1, 0, 0]))],
  ])(
    "API §4.34, §7.7 is refused (429, previews 503) while the library %s, and works afterwards",
    async (_, breakLibrary) => {
      const client = await workspaceWithLogo();
      const before = await balanceOf(client.workspaceId);
      const broken = breakLibrary();
      // Uses a look with other fonts, because the isolate has cached those of the default look.
      const ordered = packOf(client, { look: "retail", copy: { headline: `${newId()} 夏` } });
      for (const path of ["/api/v1/jobs", "/api/v1/jobs/quote", "/api/v1/previews"]) {
        const answer = await call("POST", path, {
          secret: client.secret,
          body: ordered,
          headers: { "Idempotency-Key": newId() },
        });
        expect([path, ...refusalOf(answer)]).toEqual([
          path,
          ...(path.endsWith("previews") ? [503, "PREVIEW_UNAVAILABLE"] : [429, "SERVICE_BUSY"]),
        ]);
        expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
      }
      expect(await balanceOf(client.workspaceId)).toBe(before);
      broken.mockRestore();
      expect((await postJob(client.secret, ordered)).status).toBe(202);
    },
  );

  it("API §4.34, §8.1 is refused (422) if its sizes together need too many files, even if no single size does", async () => {
    const client = await workspaceWithLogo();
    const characters = await oneOfEachJapaneseFile(fontLibrary);
    const half = Math.ceil(characters.length / 2);
    expect(characters.length).toBeGreaterThan(LIMITS.libraryFontsMax);
    const order = (...headlines: readonly string[]) => {
      const selectedSizeIds = ["iab-728x90", "iab-300x250"].slice(0, headlines.length);
      const overrides = Object.fromEntries(
        selectedSizeIds.map((sizeId, i) => [sizeId, { copy: { headline: headlines[i] } }]),
      );
      const body = packOf(client, { selectedSizeIds, overrides, copy: { language: "ja" } });
      return call("POST", "/api/v1/jobs/quote", { secret: client.secret, body });
    };
    const [first, second] = [characters.slice(0, half).join(""), characters.slice(half).join("")];
    const loads = vi.spyOn(fontLibrary, "load");
    const refused = await order(first, second);
    expect(refusalOf(refused)).toEqual([422, "COPY_UNSUPPORTED"]);
    expect(detailsOf(refused)).toMatchObject({ characters: [], safeToRetryUnchanged: false });
    // For the refusal, the service read only the index of the library.
    expect(loads.mock.calls.length).toBeLessThanOrEqual(1);
    expect((await order(first)).status).toBe(200);
  });
});
