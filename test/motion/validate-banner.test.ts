import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { fileOf } from "../support/renderer.ts";
import { type BANNER_CHECKS, validateBanner } from "../support/validate-banner.ts";
import { BANNER_SIZES, drawBanner, randomPack } from "./banners.ts";

type Files = Record<string, Uint8Array>;

const file = (name: string) => (files: Files) => {
  files[name] = new Uint8Array(1);
};
const inHtml = (from: string, to: string) => (files: Files) => {
  const html = strFromU8(files["index.html"] ?? new Uint8Array());
  files["index.html"] = strToU8(html.replace(from, to));
};
const inBody = (more: string) => inHtml("<body>", `<body>${more}`);

const BROKEN: Readonly<Record<keyof typeof BANNER_CHECKS, (files: Files) => void>> = {
  "Primary Creative Asset": file("other.html"),
  "Document tags": inHtml("<!DOCTYPE html>", ""),
  "Size tag": inHtml("ad.size", "size"),
  "Missing click tag": inHtml("var clickTag", "var target"),
  "Invalid click tag": inHtml('"https://example.com/"', '"example"'),
  "Hard coded click tag": inBody('<a href="https://example.com/">'),
  "Missing asset": inBody('<img src="lost.png">'),
  "Orphaned asset": file("backup.jpg"),
  "4th party calls": inBody('<script src="https://example.com/a.js"></script>'),
  "Secure URL": inBody("<!-- http://example.com/ -->"),
  "File Type": file("photo.webp"),
  "File Count": (files) => {
    for (let at = 0; at < 41; at += 1) file(`${at}.png`)(files);
  },
  "ZIP size": (files) => {
    const random = Uint8Array.from({ length: 9_600_000 }, (_, at) => (at * at * 2_654_435_761) >>> 13);
    files["index.jpg"] = random;
  },
  "File names": file("a%20b.png"),
  "HTML5 Not Allowed Features": inBody("<script>localStorage.a = 1</script>"),
  "Infinite animation": inHtml("linear 3 both", "linear infinite both"),
  "Inline SVG": inBody("<svg></svg>"),
  "Data URL": inBody('<img src="data:image/png;base64,AA">'),
};

describe("the banner validator", () => {
  let good: Uint8Array;
  beforeAll(async () => {
    const pack = await randomPack("classic");
    const [size] = BANNER_SIZES.filter(({ sizeId }) => sizeId === "iab-300x250");
    if (size === undefined) throw new Error("no size");
    good = fileOf(await drawBanner(pack, size)).bytes;
    pack.close();
  });

  it("passes a good banner", () => {
    expect(validateBanner(good)).toEqual([]);
  });

  it.each(Object.entries(BROKEN))("fails a banner that breaks %s", (check, breakIt) => {
    const files = { ...unzipSync(good) };
    breakIt(files);
    const stored = zipSync(files, { level: 0 });
    expect(validateBanner(stored).map((breach) => breach.split(":")[0])).toContain(check);
  });
});
