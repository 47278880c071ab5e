import { env } from "cloudflare:workers";
import { LRUCache } from "lru-cache";
import type { FontLibrary } from "../renderer/index.ts";

/** Files kept in an isolate's memory, so that the messages of one job fetch each of them once. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024;

/** Where the static files hold the library; the host is no part of how the binding finds a file. */
const FOLDER = "https://assets.invalid/fonts";

const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: KEPT_BYTES_MAX,
  sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
});

/** The font library as it was deployed with this worker: among its static files (wrangler.toml, `assets`). */
export const fontLibrary: FontLibrary = {
  load: async (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (env.ASSETS === undefined) throw new Error("the worker has no binding ASSETS to read fonts with");
    const response = await env.ASSETS.fetch(`${FOLDER}/${name}`);
    if (!response.ok) throw new Error(`the font library answered ${response.status} for ${name}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    kept.set(name, bytes);
    return bytes;
  },
};
