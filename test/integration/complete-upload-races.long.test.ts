import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { complete, errorOf, resourceOf, send, sendBytes } from "../support/assets.ts";
import { first, LENGTH, second, sent } from "../support/completions.ts";
import { selectRow } from "../support/database.ts";
import { createWorkspace } from "../support/workspace.ts";

/** After any race, the asset is ready, rejected or deleted, and matches its bytes. */

describe("concurrent completions", () => {
  it("with one key all return the asset; with ten keys one succeeds and nine are 409", async () => {
    const { secret } = await createWorkspace({});
    const same = await sent(secret, first);
    const replays = await Promise.all(
      Array.from({ length: 10 }, () => complete(secret, same, LENGTH, "one-key")),
    );
    for (const response of replays) await resourceOf(response, 200, assetSchema);

    const contested = await sent(secret, first);
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, index) => complete(secret, contested, LENGTH, `key-${index}`)),
    );
    expect(others.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  it("keep the last verified bytes if others arrive during verification", async () => {
    const { secret } = await createWorkspace({});
    const intent = await sent(secret, first);
    const get = env.BUCKET.get.bind(env.BUCKET);
    vi.spyOn(env.BUCKET, "get").mockImplementationOnce(async (key: string) => {
      const stored = await get(key);
      if (!stored) return null;
      const bytes = await stored.arrayBuffer();
      expect((await sendBytes(secret, intent, second.bytes)).status).toBe(204);
      // The object with the bytes that it had when the read began.
      return new Proxy(stored, {
        get: (object, member) =>
          member === "body" ? new Response(bytes).body : Reflect.get(object, member, object),
      });
    });
    const response = await complete(secret, intent).finally(() => vi.restoreAllMocks());
    const asset = await resourceOf(response, 200, assetSchema);
    expect(asset.sha256).toBe(await sha256Hex(second.bytes));
    const row = await selectRow<{ objectKey: string }>`SELECT object_key AS objectKey FROM assets
      WHERE asset_id = ${intent.assetId}`;
    const kept = await env.BUCKET.get(row?.objectKey ?? "");
    expect(await sha256Hex(new Uint8Array((await kept?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(
      asset.sha256,
    );
  });

  it("read the new bytes if these replace the old ones before the read", async () => {
    const { secret } = await createWorkspace({});
    const intent = await sent(secret, first);
    const get = env.BUCKET.get.bind(env.BUCKET);
    vi.spyOn(env.BUCKET, "get").mockImplementationOnce(async (key: string) => {
      expect((await sendBytes(secret, intent, second.bytes)).status).toBe(204);
      return get(key);
    });
    const response = await complete(secret, intent).finally(() => vi.restoreAllMocks());
    expect((await resourceOf(response, 200, assetSchema)).sha256).toBe(await sha256Hex(second.bytes));
  });

  it("are 422 while the bytes keep changing; the asset stays processing, and completes afterwards", async () => {
    const { secret } = await createWorkspace({});
    const intent = await sent(secret, first);
    const get = env.BUCKET.get.bind(env.BUCKET);
    vi.spyOn(env.BUCKET, "get").mockImplementation(async (key: string) => {
      expect((await sendBytes(secret, intent, second.bytes)).status).toBe(204);
      return get(key);
    });
    const response = await complete(secret, intent, LENGTH, "k").finally(() => vi.restoreAllMocks());
    expect((await errorOf(response, 422)).code).toBe("UPLOAD_MISMATCH");
    await resourceOf(await complete(secret, intent, LENGTH, "k"), 200, assetSchema);
  });

  it("together with a delete leave the asset deleted", async () => {
    const { secret } = await createWorkspace({});
    for (let round = 0; round < 5; round += 1) {
      const intent = await sent(secret, first);
      const [completed, deleted] = await Promise.all([
        complete(secret, intent),
        send(secret, "DELETE", `/api/v1/assets/${intent.assetId}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(completed.status);
      expect((await send(secret, "GET", `/api/v1/assets/${intent.assetId}`)).status).toBe(404);
    }
  });
});
