import { sha256Hex } from "../platform/hashing.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { sha256HexOf, streamed } from "../platform/piecewise.ts";
import { readWhole } from "../platform/whole-body.ts";
import { ENGINE_VERSION, type RenditionStore } from "../renderer/index.ts";
import type { RenderInput } from "./ready-inputs.ts";

/** A rendition of the most pixels that the renderer keeps of one picture takes 20 MB. */
const RENDITION_BYTES_MAX = 24 * 1024 * 1024;

/** Names a page; of one engine there are a few. */
const OBJECTS_PER_PAGE = 100;

/**
 * What was decoded of an asset, kept beside its bytes and removed with them. The name says the engine and the
 * bytes it was made from; what other engines made of it goes when one is kept, or each deployment of another engine
 * would leave tens of megabytes an asset for as long as that lives. It saves time and nothing else: one that is missing, cut short or altered is as none,
 * and one that cannot be kept is not.
 */
export function keptRenditions(
  bucket: R2Bucket,
  { objectKey, sha256 }: Pick<RenderInput, "objectKey" | "sha256">,
): RenditionStore {
  const folder = objectKey.slice(0, objectKey.lastIndexOf("/"));
  const ofAll = `${folder}/renditions/`;
  const ofThisEngine = `${ofAll}${ENGINE_VERSION}/`;
  const keyOf = (name: string): string => `${ofThisEngine}${sha256}-${name}`;
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
        const customMetadata = { sha256: await sha256HexOf(bytes) };
        await streamed(bytes, (stream) => bucket.put(keyOf(name), stream, { customMetadata }));
        const { objects } = await bucket.list({ prefix: ofAll, limit: OBJECTS_PER_PAGE });
        const others = objects.map(({ key }) => key).filter((key) => !key.startsWith(ofThisEngine));
        if (others.length > 0) await bucket.delete(others);
      } catch (thrown) {
        log.failure({ event: "rendition_not_kept", errorName: errorNameOf(thrown) });
      }
    },
  };
}
