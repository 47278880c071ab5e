import type { PreviewProtection } from "#api/preview-quota.ts";

/**
 * The workspace's 32-bit part (FNV-1a) of the watermark's seed; the other part comes from the picture
 * (`src/renderer/mark/mark-values.ts`). File bytes, copy and colours do not move a watermark, so that previews which
 * differ in them cannot be combined to remove it. All workspaces without paid access share one seed, because an account
 * may own 20 of them. A secret `key` prevents computing the mark; browser pages have none.
 */
export function markSeedOf(workspaceId: string, protection: PreviewProtection, key = ""): number {
  let seed = 0x811c9dc5;
  for (const character of key + (protection === "watermarked-lowres" ? "" : workspaceId)) {
    seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return seed >>> 0;
}
