import { expect, it } from "vitest";
import { shareSizes } from "#catalogue/shared-sizes.ts";
import { SIZES } from "#catalogue/sizes.ts";
import type { OutputFormat } from "#catalogue/types.ts";

/** Sizes with the same pixels are ordered once, as the size with the strictest rules. */

/** Networks whose size is ordered for these pixels, each with all networks that accept its file. */
const shared = (pixels: string, format: OutputFormat) =>
  Object.fromEntries(
    shareSizes(SIZES, format)
      .filter(({ size }) => size.sizeId.endsWith(`-${pixels}`))
      .map(({ size, members }) => [size.group, members.map(({ group }) => group).join(" ")]),
  );

it("the size with the strictest cap is ordered for all networks whose safe area and cap it meets", () => {
  expect(shared("970x250", "jpg")).toEqual({ gads: "iab gads amazon" });
  expect(shared("1080x1920", "jpg")).toEqual({
    "demand-gen": "demand-gen meta-story snapchat",
    pinterest: "meta-reel pinterest",
  });
});

it("only rules of the ordered format count, and no file is shared with a network that rejects the format", () => {
  const every = "gads-responsive demand-gen meta-feed tiktok linkedin x";
  expect(shared("1200x628", "jpg")).toEqual({ "demand-gen": every });
  expect(Object.keys(shared("1200x628", "gif")).join(" ")).toBe(every);
});

it.each(["png", "webp", "gif", "html5", "mp4"] as const)("each size is ordered once in %s", (format) => {
  const all = shareSizes(SIZES, format).flatMap(({ members }) => members);
  expect(all.map(({ sizeId }) => sizeId).sort()).toEqual(SIZES.map(({ sizeId }) => sizeId).sort());
});
