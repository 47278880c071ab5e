import type { SlotId } from "creative-packs-service/slots";
import { type Files, filesOf } from "../draft/draft.ts";
import { takes } from "../files/guess-slot.ts";
import type { Uploads } from "../files/uploads.ts";

export interface ReadyAssets {
  /** By slot, once all files are uploaded; null before. */
  readonly assetIds: Readonly<Partial<Record<SlotId, string>>> | null;
  /** Whether one of them cannot be, as it is. */
  readonly hasFailed: boolean;
}

/** The assets that a draft's files have become. */
export function readyAssets(files: Files, uploads: Uploads): ReadyAssets {
  const filled = filesOf(files);
  const ready = filled.flatMap(([slot]) => {
    const upload = uploads[slot];
    return upload?.status === "ready" ? [[slot, upload.assetId] as const] : [];
  });
  const hasFailed = filled.some(([slot, file]) => !takes(slot, file) || uploads[slot]?.status === "failed");
  return { assetIds: ready.length === filled.length ? Object.fromEntries(ready) : null, hasFailed };
}
