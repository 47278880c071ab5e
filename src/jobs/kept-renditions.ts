import { sha256Hex } from "../platform/hashing.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { readWhole } from "../platform/whole-body.ts";
import { ENGINE_VERSION, type RenditionStore } from "../renderer/index.ts";
import type { JobInput } from "./job.ts";

/** A rendition of the most pixels that the renderer keeps of one picture takes 20 MB. */
const RENDITION_BYTES_MAX = 24 * 1024 * 1024;

/**
 * What was decoded of an asset, kept beside its bytes and removed with them. The name says the engine and the
 * bytes it was made from. It saves time and nothing else: one that is missing, cut short or altered is as none,
 * and one that cannot be kept is not.
 */
export function keptRenditions(bucket: R2Bucket, { objectKey, sha256 }: JobInput): RenditionStore {
  const folder = objectKey.slice(0, objectKey.lastIndexOf("/"));
  const keyOf = (name: string): string => `${folder}/renditions/${ENGINE_VERSION}/${sha256}-${name}`;
  return {
    async find(name) {
      try {
        const object = await bucket.get(keyOf(name));
        if (object === null) return null;
        if (object.size > RENDITION_BYTES_MAX) {
          await object.body.cancel();
          return null;
        }
        const bytes = await readWhole(object.body, object.size);
        return (await sha256Hex(bytes)) === object.customMetadata?.sha256 ? bytes : null;
      } catch (thrown) {
        log.failure({ event: "rendition_unread", errorName: errorNameOf(thrown) });
        return null;
      }
    },
    async keep(name, bytes) {
      try {
        await bucket.put(keyOf(name), bytes, { customMetadata: { sha256: await sha256Hex(bytes) } });
      } catch (thrown) {
        log.failure({ event: "rendition_not_kept", errorName: errorNameOf(thrown) });
      }
    },
  };
}
