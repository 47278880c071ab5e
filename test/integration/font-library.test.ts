import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/api/limits.ts";
import { fontLibrary } from "../../src/platform/font-library.ts";
import { newId } from "../../src/platform/ids.ts";
import { loadLibraryFile } from "../../src/renderer/fonts/library-file.ts";
import { FALLBACK_INDEX } from "../../src/renderer/fonts/library-files.ts";
import { heldJob } from "../support/held-jobs.ts";
import {
  deliver,
  expectInvariants,
  failedBy,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf } from "../support/refusals.ts";

/** Guarantee: the worker finds the font library among its static files, and its absence costs nobody anything. */

it("reads the library through its binding", async () => {
  const bytes = await loadLibraryFile(fontLibrary, FALLBACK_INDEX);
  expect(bytes.length).toBeGreaterThan(100_000);
  await expect(fontLibrary.load("nothing.ttf")).rejects.toThrow("404 for nothing.ttf");
});

describe("a job with copy that needs the library", () => {
  const changes = { copy: { headline: "夏の大セール", cta: "購入" } };

  it("is drawn", async () => {
    const { client, jobId } = await heldJob(changes);
    await deliver({ jobId, positions: [0] });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
  });

  it("waits while the library is away, and is drawn when it is back", async () => {
    const { client, jobId } = await heldJob(changes);
    const messageId = newId();
    vi.spyOn(fontLibrary, "load").mockRejectedValueOnce(new Error("the library is away"));
    const result = await deliver({ jobId, positions: [0] }, { messageId });
    expect(result.retryMessages).toMatchObject([{ msgId: messageId }]);
    await deliver({ jobId, positions: [0] });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
  });

  it.each([
    ["stays away", () => vi.spyOn(fontLibrary, "load").mockRejectedValue(new Error("the library is away"))],
    ["has other bytes", () => vi.spyOn(fontLibrary, "load").mockResolvedValue(new Uint8Array([0, 1, 0, 0]))],
  ])("is refunded where the library %s", async (_, breakLibrary) => {
    const { client, jobId } = await heldJob(changes);
    breakLibrary();
    const messageId = newId();
    for (let attempts = 1; attempts <= LIMITS.outputAttemptsMax; attempts += 1) {
      await deliver({ jobId, positions: [0] }, { messageId, attempts });
    }
    expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
    await expectInvariants(client.workspaceId);
  });

  it("is not created, and costs nothing, where a character is in no font", async () => {
    const client = await workspaceWithLogo();
    const before = await balanceOf(client.workspaceId);
    const answer = await postJob(client.secret, packOf(client, { copy: { headline: "夏 ភាសាខ្មែរ" } }));
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: {
          code: "COPY_UNSUPPORTED",
          details: { characters: expect.arrayContaining(["ភ", "ខ", "្"]) },
        },
      },
    });
    expect(await balanceOf(client.workspaceId)).toBe(before);
  });
});
