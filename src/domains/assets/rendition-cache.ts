import { asStream, sha256HexOfChunks } from "#platform/bytes/chunked-bytes.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { log } from "#platform/log/log.ts";
import { ENGINE_VERSION, type RenditionStore } from "#renderer/index.ts";
import type { RenderInput } from "./ready-inputs.ts";

/** Maximum size of a cached rendition. The renderer's largest rendition is 20 MB. */
const RENDITION_BYTES_MAX = 24 * 1024 * 1024;

/** Maximum number of objects per list request. An asset has a few per engine version. */
const OBJECTS_PER_PAGE = 100;

/**
 * Caches decoded pictures of an asset beside its bytes; they are deleted together. Names contain the engine version and
 * the hash of the bytes. Storing one deletes those of other engine versions, because each engine would otherwise leave
 * tens of megabytes per asset. A missing, truncated or altered rendition is decoded again, and a failure to store one
 * is ignored; both cost only time.
 */
export function renditionCache(
  bucket: R2Bucket,
  { objectKey, sha256 }: Pick<RenderInput, "objectKey" | "sha256">,
): RenditionStore {
  const folder = objectKey.slice(0, objectKey.lastIndexOf("/"));
  const allPrefix = `${folder}/renditions/`;
  const enginePrefix = `${allPrefix}${ENGINE_VERSION}/`;
  const keyOf = (name: string): string => `${enginePrefix}${sha256}-${name}`;
  return {
    async find(name) {
      try {
        const object = await bucket.get(keyOf(name));
        if (object === null) return null;
        if (object.size > RENDITION_BYTES_MAX) {
          await object.body.cancel();
          return null;
        }
        const bytes = await readAll(object.body, object.size);
        return (await sha256Hex(bytes)) === object.customMetadata?.sha256 ? bytes : null;
      } catch (thrown) {
        log.failure({ event: "rendition_not_read" }, thrown);
        return null;
      }
    },
    async keep(name, bytes) {
      try {
        const customMetadata = { sha256: await sha256HexOfChunks(bytes) };
        await asStream(bytes, (stream) => bucket.put(keyOf(name), stream, { customMetadata }));
        const { objects } = await bucket.list({ prefix: allPrefix, limit: OBJECTS_PER_PAGE });
        const others = objects.map(({ key }) => key).filter((key) => !key.startsWith(enginePrefix));
        if (others.length > 0) await bucket.delete(others);
      } catch (thrown) {
        log.failure({ event: "rendition_not_cached" }, thrown);
      }
    },
  };
}
