/** File names of downloads: ZIPs by brand, campaign and date, and names for uploads to ad networks. */

/** Per slug. Two slugs, a network and a date stay well below the 255 bytes that file systems allow, in any script. */
const SLUG_BYTES_MAX = 72;

/** Converts text to a part of a file name: letters and digits of any script in lower case, words joined by hyphens. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  const slug = words.filter((word) => word !== "").join("-");
  const bytes = new TextEncoder().encode(slug).subarray(0, SLUG_BYTES_MAX);
  // A character that was cut off in the middle decodes to U+FFFD.
  return new TextDecoder().decode(bytes).replace(/[-\uFFFD]+$/, "");
}

/** `<brand>-<campaign>-<YYYY-MM-DD>.zip`: the saved brand, the pack's name, and its creation date in UTC. */
export function packZipName(brandName: string | null, campaign: string, createdAtMs: number): string {
  const parts = [slugOf(brandName ?? ""), slugOf(campaign), new Date(createdAtMs).toISOString().slice(0, 10)];
  return `${parts.filter((part) => part !== "").join("-")}.zip`;
}

/** Letters that Unicode does not decompose into a base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" };

/**
 * The start of an upload's name, before the dimensions, made from the name of the pack's ZIP. ASCII only, because ad
 * servers reject or replace other characters.
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
 * A file's name for upload to a network: campaign, dimensions and extension in lower case. A file and its backup differ
 * only by extension, by which Campaign Manager 360's batch upload pairs them
 * (support.google.com/campaignmanager/answer/3008677, read 2026-11-27). If the extensions are equal, the backup gets
 * `-backup`.
 */
export function uploadName(zipName: string, file: NamedFile, primary: NamedFile): string {
  const [ending, ofPrimary] = [file, primary].map(
    ({ fileName }) => /\.\w+$/.exec(fileName.toLowerCase())?.[0],
  );
  const isAlike = file !== primary && ending === ofPrimary;
  return `${asciiStem(zipName)}${primary.width}x${primary.height}${isAlike ? "-backup" : ""}${ending ?? ""}`;
}
