import { expect, it } from "vitest";
import { packZipName, uploadName } from "#api/file-names.ts";

/** Downloads have names that people recognise and ad servers accept. */

it.each([
  ["aurora-mobile-spring-20-off-2026-11-27.zip", "Aurora Mobile", "Spring: 20 % off!"],
  ["größe-zählt-2026-11-27.zip", null, "Größe zählt"],
  ["москва-春のセール-2026-11-27.zip", "Москва", "春のセール"],
  ["2026-11-27.zip", "../..", "🎉"],
  // The brand's and the pack's name are each truncated to 72 bytes of UTF-8, at a whole character.
  [`${"漢".repeat(24)}-${"𠮷".repeat(18)}-2026-11-27.zip`, "漢".repeat(300), "𠮷".repeat(300)],
])("a ZIP is named %s", (expected, brandName, campaign) => {
  expect(packZipName(brandName, campaign, Date.parse("2026-11-27T23:30:00Z"))).toBe(expected);
});

const file = (fileName: string) => ({ fileName, width: 300, height: 250 });
const AURORA = "aurora-größe-2026-11-27.zip";

it.each([
  [AURORA, "iab-300x250.GIF", "iab-300x250.GIF", "aurora-grosse-300x250.gif"],
  [AURORA, "iab-300x250-backup.jpg", "iab-300x250.zip", "aurora-grosse-300x250.jpg"],
  [AURORA, "iab-300x250-backup.png", "iab-300x250.png", "aurora-grosse-300x250-backup.png"],
  ["春のセール-2026-11-27.zip", "iab-300x250.png", "iab-300x250.png", "300x250.png"],
])(
  "in a network's upload from %s, the file %s of the output %s is named %s",
  (zipName, name, primaryName, expected) => {
    const primary = file(primaryName);
    expect(uploadName(zipName, name === primaryName ? primary : file(name), primary)).toBe(expected);
  },
);
