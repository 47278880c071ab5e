import { describe, expect, it } from "vitest";
import type { LookId } from "#catalogue/looks.ts";
import { fontFilesOf, LOOKS } from "#renderer/look/index.ts";
import { fitText, openFontSet, paintText } from "#renderer/type/index.ts";
import { bundled, source, textRequest } from "../support/type-fixtures.ts";
import { unwrap } from "../support/unwrap.ts";

/** The area of a headline's ink at one size, in pixels. */
async function inkOf(headline: string, look: LookId): Promise<number> {
  const fonts = unwrap(await openFontSet(source, bundled, null, fontFilesOf(LOOKS[look])));
  await fonts.load({ headline });
  fonts.grantOutput({ headline });
  const request = textRequest(headline, { weight: "display", fontSizePxMin: 40, fontSizePxMax: 40 });
  const set = fitText(fonts, request);
  if (set === null) throw new Error(`${headline} is not set in ${look}`);
  const { coverage } = paintText(set, 0, 0, 600, 400);
  fonts.close();
  let sum = 0;
  for (const value of coverage) sum += value;
  return sum / 255;
}

describe("a headline's weight in another script follows its look", () => {
  it.each(["เดินทางไกล", "長い帰り道", "दूर का सफ़र", "صُنع لطريق"])("%s", async (headline) => {
    const classic = await inkOf(headline, "classic");
    expect(await inkOf(headline, "minimal")).toBeLessThan(classic * 0.7);
    expect(await inkOf(headline, "premium")).toBeLessThan(classic * 0.85);
    expect(await inkOf(headline, "retail")).toBeGreaterThan(classic * 1.05);
  });
});
