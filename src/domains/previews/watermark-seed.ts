import type { PreviewProtection } from "#api/preview-quota.ts";

/**
 * The workspace's part in its watermarks, 32 bits (FNV-1a); the rest of it is the picture's own
 * (`src/renderer/mark/mark-values.ts`). Nothing else moves a watermark, neither the bytes of a file nor copy or colours,
 * so that previews which differ in them cannot be laid over each other to cancel it. All workspaces that never paid share
 * one, because an account may own 20 of them. A secret `key` keeps the mark from being computed; pages in a browser have none.
 */
export function markSeedOf(workspaceId: string, protection: PreviewProtection, key = ""): number {
  let seed = 0x811c9dc5;
  for (const character of key + (protection === "watermarked-lowres" ? "" : workspaceId)) {
    seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return seed >>> 0;
}
