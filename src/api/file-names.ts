/** Names of what is downloaded: ZIPs by brand, campaign and date, and files as networks take them. */

/** With two slugs, a network and a date, well below the 255 bytes that file systems take, whatever the script. */
const SLUG_BYTES_MAX = 72;

/** A text as part of a file name: its letters and digits in any script, in lower case, with hyphens between words. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  const slug = words.filter((word) => word !== "").join("-");
  const { read } = new TextEncoder().encodeInto(slug, new Uint8Array(SLUG_BYTES_MAX));
  return slug.slice(0, read).replace(/-+$/, "");
}

/** `<brand>-<campaign>-<YYYY-MM-DD>.zip`: the saved brand, what people call the pack, and the UTC day it was made on. */
export function packZipName(brandName: string | null, campaign: string, createdAtMs: number): string {
  const parts = [slugOf(brandName ?? ""), slugOf(campaign), new Date(createdAtMs).toISOString().slice(0, 10)];
  return `${parts.filter((part) => part !== "").join("-")}.zip`;
}

/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" };

/**
 * What files of a pack have in front of their pixels, from the name of its ZIP: plain ASCII, as ad servers refuse or
 * replace other letters.
 */
const asciiStem = (zipName: string): string =>
  `${zipName.replace(/(?:-\d{4}-\d{2}-\d{2})?(?:\.zip)?$/, "")} `
    .normalize("NFKD")
    .replace(/[ßæœøłđı]/g, (letter) => PLAIN[letter] ?? "")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");

interface NamedFile {
  readonly fileName: string;
  readonly width: number;
  readonly height: number;
}

/**
 * A file's name in the upload of a network: campaign, pixels, and the ending in lower case. A file and its backup still
 * differ by their endings alone, by which Campaign Manager 360's batch upload makes one creative of both
 * (support.google.com/campaignmanager/answer/3008677, read 2026-11-27); where the endings are alike, the backup has
 * `-backup`.
 */
export function uploadName(zipName: string, file: NamedFile, primary: NamedFile): string {
  const [ending, ofPrimary] = [file, primary].map(
    ({ fileName }) => /\.\w+$/.exec(fileName.toLowerCase())?.[0],
  );
  const isAlike = file !== primary && ending === ofPrimary;
  return `${asciiStem(zipName)}${primary.width}x${primary.height}${isAlike ? "-backup" : ""}${ending ?? ""}`;
}
