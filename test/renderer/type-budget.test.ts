import binaryen from "binaryen";
import { describe, expect, it } from "vitest";
import { inspect } from "#renderer/decode/inspect.ts";
import { openFontFile } from "#renderer/type/font-file.ts";
import { fitText } from "#renderer/type/index.ts";
import { TYPE_LIMITS } from "#renderer/type/limits.ts";
import { metered } from "../../scripts/make/shaper/metered.ts";
import { bombsOf } from "../corpus/bombs/index.ts";
import { readSample } from "../support/renderer.ts";
import { openFonts, source, textRequest } from "../support/type-fixtures.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: opening a font, and setting an output's text in it, cost at most a fixed count of instructions. A font
 * that costs more is rejected with a sentence, and does not affect the next text.
 */

const HEADLINE = "Find the fjords fifty officials offered in the afternoon";
const tooDear = [
  "16,000 contexts of five",
  "1,000 lookups of 8,000 rules",
  "16,000 contexts for kerning",
].map((start) => {
  const found = bombsOf(false).find(({ name }) => name.startsWith(start));
  if (found === undefined) throw new Error(`no font of ${start}`);
  return found;
});

describe("a font with expensive letters", () => {
  it.each(tooDear)("$name: fails with a reason, and affects no other font", async ({ make }) => {
    const fonts = await openFonts(make());
    fonts.grantOutput();
    expect(fitText(fonts, textRequest(HEADLINE))).toBeNull();
    expect(fonts.failure).toMatchObject({
      code: "FONT_UNREADABLE",
      message: expect.stringContaining("its tables take too much work"),
    });
    const bundled = await openFonts(null);
    expect(fitText(bundled, textRequest(HEADLINE))?.lines.length).toBeGreaterThan(0);
  });

  it.each(tooDear.filter(({ name }) => name.startsWith("16,000")))(
    "$name: is rejected as an upload, with advice",
    async ({ make }) => {
      expect(inspect(make(), "font/ttf")).toMatchObject({
        ok: false,
        code: "UNSUPPORTED",
        message: expect.stringMatching(/16000 layout subtables.*at most 10000.*Export it again/),
      });
    },
  );

  it("is charged for each output separately", async () => {
    const fonts = await openFonts(null);
    const face = fonts.face("bold");
    for (const _ of [1, 2]) {
      fonts.grantOutput();
      expect(face.left).toBe(TYPE_LIMITS.settingInstructionsMax);
      fitText(fonts, textRequest(HEADLINE));
      expect(face.left).toBeLessThanOrEqual(TYPE_LIMITS.settingInstructionsMax);
    }
  });
});

describe("an honest font", () => {
  it.each(["tajawal-bold.ttf", "bricolage-grotesque-extrabold.ttf"])(
    "%s takes less than a twentieth of its budget, and the same number of instructions every time",
    async (name) => {
      const bytes = readSample(`fonts/${name}`);
      const counts = [1, 2].map(() => {
        const file = unwrap(openFontFile(source.modules, bytes));
        return file.regular.left;
      });
      expect(counts[0]).toBe(counts[1]);
      expect(TYPE_LIMITS.openingInstructionsMax - (counts[0] ?? 0)).toBeLessThan(
        TYPE_LIMITS.openingInstructionsMax / 20,
      );
      const fonts = await openFonts(bytes);
      fonts.grantOutput();
      const text = fitText(fonts, textRequest("بسم الله Office fjord", { heightPx: 200 }));
      expect(text?.lines.length).toBeGreaterThan(0);
      expect(fonts.face("bold").left).toBeGreaterThan(TYPE_LIMITS.settingInstructionsMax * 0.95);
    },
  );
});

describe("a metered module", () => {
  const FILL_A_PAGE = "(memory.fill (i32.const 0) (i32.const 7) (i32.const 65536))";

  it.each([
    ["an endless loop", "(loop $again (br $again))", 1_000],
    ["an endless recursion", "(call $run)", 1_000],
    ["a fill of 64 KB", FILL_A_PAGE, 8_000],
  ])("ends %s when its budget is used up", (_name, body, fuel) => {
    const { run, meter } = instanceOf(body);
    meter.value = fuel;
    expect(run).toThrow(/unreachable/);
    expect(meter.value).toBeLessThan(0);
  });

  it("is charged one instruction per eight bytes of a fill, besides its other instructions", () => {
    const { run, meter } = instanceOf(FILL_A_PAGE);
    meter.value = 10_000;
    run();
    expect(10_000 - meter.value).toBe(65_536 / 8 + 5);
  });
});

/** A module of one memory, one global and the function `run`. */
function instanceOf(body: string) {
  const module = binaryen.parseText(
    `(module (import "" "unused" (func)) (memory 1) (global (mut i32) (i32.const 0)) (func $run (export "run") ${body}))`,
  );
  module.setFeatures(binaryen.Features.All);
  const { run, fuel } = new WebAssembly.Instance(
    Reflect.construct(WebAssembly.Module, [metered(module.emitBinary(), "fuel")]),
    { "": { unused: () => {} } },
  ).exports;
  if (typeof run !== "function" || !(fuel instanceof WebAssembly.Global))
    throw new Error("an export is gone");
  return { run: () => run(), meter: fuel };
}
