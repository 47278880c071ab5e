import { expect, it } from "vitest";
import { SIZES } from "#catalogue/sizes.ts";
import { evaluateCompliance, type UncheckedFile } from "#renderer/compliance.ts";
import type { LayoutReport } from "#renderer/types.ts";
import { readMeasure } from "../../studio/src/report/use-report-words.ts";

/** Every measured value in the engine's reports can be translated, except formats and plain numbers. */

const FORMAT = "(?:png|jpg|webp|gif|apng|html5|mp4)";
const PLAIN = new RegExp(`^(?:\\d+|${FORMAT}(?:, ${FORMAT})*)$`);

const box = { x: 0, y: 0, width: 1, height: 1 };
const OUTSIDE: LayoutReport = {
  family: "campaign",
  shape: "square",
  elements: [
    { role: "headline", box },
    { role: "cta", box },
  ],
  crops: [],
  adjustments: [],
};

const animation = { frames: 31, durationMs: 6_500, loops: 9 };
const FILES: readonly Pick<UncheckedFile, "role" | "animation" | "format" | "load">[] = [
  { role: "primary", format: "gif", animation },
  { role: "primary", format: "html5", animation, load: { bytes: 90_000, files: 6 } },
  { role: "primary", format: "mp4", animation: { frames: 150, durationMs: 6_000, loops: 1 } },
  { role: "backup", format: "jpg", animation: null },
];

it("every figure of every size can be parsed", () => {
  const texts = SIZES.flatMap((size) =>
    FILES.flatMap((kind) =>
      [OUTSIDE, { ...OUTSIDE, elements: [] }].flatMap((layout) => {
        const { width, height } = size;
        const file: UncheckedFile = {
          ...kind,
          width,
          height,
          extension: "gif",
          contentType: "image/gif",
          bytes: new Uint8Array(10),
        };
        return evaluateCompliance(file, size, layout).checks.flatMap(({ actual, required }) => [
          actual,
          required,
        ]);
      }),
    ),
  );
  const unread = new Set(texts.filter((text) => readMeasure(text) === null && !PLAIN.test(text)));
  expect([...unread]).toEqual([]);
  const kinds = new Set(texts.map((text) => readMeasure(text)?.kind).filter((kind) => kind !== undefined));
  expect(kinds.size).toBe(16);
});

it("figures and elements are separated from their text", () => {
  expect(readMeasure("at most 153600 bytes")).toEqual({ kind: "bytesMax", parts: ["153600"] });
  expect(readMeasure("covered by headline, cta")).toEqual({ kind: "covered", parts: ["headline", "cta"] });
  expect(readMeasure("something new")).toBe(null);
});
