import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { type ForeignStore, startForeignStore } from "../support/foreign-store.ts";
import type { Harness } from "../support/harness.ts";
import { type Sender, senderOf } from "../support/sender.ts";

const SIZES = ["iab-300x50", "iab-320x50"];
/** Length of a file that is uploaded in three parts: two full ones, and one of five bytes. */
const LARGE_BYTES = DELIVERY_LIMITS.singlePutBytesMax + 5;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Deliveries to a third-party S3 implementation, which verifies signatures with its own code, and whose endpoint has a
 * path.
 */
export const foreignStores = (harness: Harness): void => {
  const { service } = harness;
  describe("API §12.9 deliveries to a third-party S3 implementation", () => {
    let store: ForeignStore;
    let sender: Sender;
    let expected: { readonly key: string; readonly sha256: string; readonly partCount: number }[];

    /** Replaces the pack's first file with one too large for a single request, in storage and in the pack's row. */
    async function enlarge(fileName: string): Promise<string> {
      const bytes = Buffer.alloc(LARGE_BYTES);
      for (let at = 0; at < bytes.length; at += 4_096)
        bytes.writeUInt32LE(at, Math.min(at, bytes.length - 4));
      const key = `workspaces/${harness.rich.workspaceId}/artifacts/${sender.artifactId}/${fileName}`;
      await service.bucket.put(key, bytes, { httpMetadata: { contentType: "image/png" } });
      await service.db
        .prepare(
          "UPDATE artifacts SET files = json_set(files, '$[0].byteLength', ?1, '$[0].sha256', ?2) WHERE artifact_id = ?3",
        )
        .bind(bytes.length, sha256(bytes), sender.artifactId)
        .run();
      return sha256(bytes);
    }

    beforeAll(async () => {
      [store, sender] = [await startForeignStore(), await senderOf(harness, SIZES)];
      const files = await sender.files();
      const large = files[0]?.fileName ?? "";
      const largeSha256 = await enlarge(large);
      expected = files.map(({ fileName, checksum }) => ({
        key: `launch/${sender.artifactId}/${fileName}`,
        sha256: fileName === large ? largeSha256 : checksum.value,
        partCount: fileName === large ? 3 : 1,
      }));
    });
    afterAll(() => store.close());

    const body = () => ({ kind: "s3", endpoint: store.endpoint, prefix: "launch", ...store.settings });

    /** Uses of checksums (`put`, `parts`, `head`) that the store has refused, as recorded for the destination. */
    async function refusedChecksums(destinationId: string): Promise<string[]> {
      const row = await service.db
        .prepare("SELECT settings FROM destinations WHERE destination_id = ?1")
        .bind(destinationId)
        .first<{ settings: string }>();
      return Object.keys(JSON.parse(row?.settings ?? "{}").refusedChecksums ?? {});
    }

    it("an unknown key and a wrong secret are refused, and nothing is stored", async () => {
      const begun = await sender.sendOut({ ...body(), accessKeyId: "OTHERKEY" });
      const refused = [begun, await sender.sendOut({ ...body(), prefix: "wrong", secretAccessKey: "wrong" })];
      const failures = [];
      for (const answer of refused) {
        const { data } = (await sender.ended(answer.body.data.deliveryId)).body;
        failures.push([data.status, data.attempts, data.failure.code, data.failure.message]);
      }
      expect(failures).toEqual([
        ["dead", 1, "STORE_REFUSED", expect.stringContaining("401 Unauthorized")],
        ["dead", 1, "STORE_REFUSED", expect.stringContaining("403 SignatureDoesNotMatch")],
      ]);
      expect(await store.list()).toEqual([]);
    });

    it("every file arrives as in the manifest, one in a single request and one in parts", async () => {
      const begun = await sender.sendOut(body());
      expect(begun.status, JSON.stringify(begun.body)).toBe(202);
      const { data } = (await sender.ended(begun.body.data.deliveryId)).body;
      expect(data).toMatchObject({ status: "succeeded", attempts: 1, failure: null });
      // The store accepts checksum headers but returns none, so everything was read back.
      expect(await refusedChecksums(begun.body.data.destinationId)).toEqual(["head"]);
      const manifestKey = `launch/${sender.artifactId}/manifest.json`;
      expect([...(await store.list())].sort()).toEqual(
        [...expected.map(({ key }) => key), manifestKey].sort(),
      );
      for (const { key, partCount, sha256: expectedSha256 } of expected) {
        const object = await store.read(key);
        expect(object, key).toMatchObject({ contentType: "image/png", partCount });
        expect(sha256(object?.bytes ?? new Uint8Array()), key).toBe(expectedSha256);
      }
      const manifest = JSON.parse(new TextDecoder().decode((await store.read(manifestKey))?.bytes));
      expect(manifest).toMatchObject({ artifactId: sender.artifactId });
    });
  });
};
