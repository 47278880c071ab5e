import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SlotId } from "../../index.ts";
import { ASSET_FIELDS } from "../pack-fields.ts";
import type { PackInput } from "../pack-input.ts";
import { readAssetSource } from "../pack-request.ts";
import { remembered } from "../remembered.ts";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Hashes inputs by the bytes of their files, each read once: a row whose picture was changed is another row. */
export class InputHasher {
  readonly #folder: string;
  readonly #files = new Map<string, Promise<string>>();

  /** `folder`: where the paths of inputs begin. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async hash(input: PackInput): Promise<string> {
    const assets: [SlotId, string][] = [];
    for (const { slot } of ASSET_FIELDS) {
      const text = input.assets[slot];
      if (text !== undefined) assets.push([slot, await this.#identityOf(text)]);
    }
    return sha256(JSON.stringify([{ ...input, assets }]));
  }

  async #identityOf(text: string): Promise<string> {
    const source = readAssetSource(text, this.#folder);
    if (source.kind === "asset") return source.assetId;
    if (source.kind === "address") return source.url;
    return remembered(this.#files, source.path, async () => sha256(await readFile(source.path)));
  }
}

/** The idempotency key of a request's n-th order: the same whoever asks and whenever, so that it is paid once. */
export const orderKey = (request: object, attempt: number): string =>
  `row-${sha256(JSON.stringify(request)).slice(0, 40)}-${attempt}`;
