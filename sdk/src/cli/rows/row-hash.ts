import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { memoizePerKey } from "../memoize-per-key.ts";
import type { PackInput } from "../pack-input.ts";
import { readAssetSource } from "../pack-request.ts";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Hashes inputs with the bytes of their files, so that a changed image makes a different row. Each file is read once.
 * Paths are relative to `folder`.
 */
export function createInputHasher(folder: string): (input: PackInput) => Promise<string> {
  const files = new Map<string, Promise<string>>();
  const identityOf = async (slot: string, text: string): Promise<string> => {
    const source = readAssetSource(slot, text, folder);
    if (source.kind === "asset") return source.assetId;
    if (source.kind === "address") return source.url;
    return memoizePerKey(files, source.path, async () => sha256(await readFile(source.path)));
  };
  return async (input) => {
    const assets: [string, string][] = [];
    for (const [slot, text] of Object.entries(input.assets))
      assets.push([slot, await identityOf(slot, text)]);
    return sha256(JSON.stringify([{ ...input, assets }]));
  };
}

/** Idempotency key of a request's n-th order. Every machine computes the same key, so the order is paid once. */
export const orderKey = (request: object, attempt: number): string =>
  `row-${sha256(JSON.stringify(request)).slice(0, 40)}-${attempt}`;
