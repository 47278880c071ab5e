import { expect, it } from "vitest";
import { validateContent } from "#domains/assets/content-rules.ts";
import { JPEG, JPEG_SIDEWAYS, png, SVG } from "../support/files.ts";

const declared = { slotId: "media", mimeType: "image/jpeg", width: 540, height: 360 } as const;

it("a picture is measured upright, and accepted with either orientation of the declared size", () => {
  const upright = { ok: true, width: 360, height: 540 };
  expect(validateContent(declared, JPEG_SIDEWAYS)).toEqual(upright);
  expect(validateContent({ ...declared, width: 360, height: 540 }, JPEG_SIDEWAYS)).toEqual(upright);
  expect(validateContent({ ...declared, width: 360, height: 540 }, JPEG)).toMatchObject({
    ok: false,
    rejection: { code: "DIMENSIONS_DIFFER" },
  });
});

it("limits apply to the actual pixels of a picture, not to the declared size", () => {
  const small = { slotId: "media", mimeType: "image/png", width: 400, height: 359 } as const;
  const verdict = validateContent(small, png(400, 359));
  expect(verdict).toMatchObject({ ok: false, rejection: { code: "TOO_SMALL" } });
  expect(validateContent({ ...small, slotId: "product" }, png(400, 359)).ok).toBe(true);
});

it("a file whose inspection fails is rejected with advice, so that its upload does not stay open", () => {
  const failing = (): never => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  expect(validateContent(declared, JPEG, failing)).toMatchObject({
    ok: false,
    rejection: { code: "UNSUPPORTED", message: expect.stringContaining("Export it again") },
    thrown: expect.any(RangeError),
  });
});

it("an SVG may have any size, because pixel limits apply only to rasters", () => {
  const logo = { slotId: "logo", mimeType: "image/svg+xml", width: null, height: null } as const;
  for (const [width, height] of [
    [1, 1],
    [127, 9],
    [9_000, 9_000],
    [100_000, 2_000],
  ]) {
    const file = `<svg viewBox="0 0 ${width} ${height}"><path d="M0 0h9v9z"/></svg>`;
    expect(validateContent(logo, new TextEncoder().encode(file))).toEqual({ ok: true, width, height });
  }
});

it("a small SVG is accepted, and its own size replaces the declared one", () => {
  const svg = { slotId: "logo", mimeType: "image/svg+xml", width: 9, height: 9 } as const;
  expect(validateContent(svg, SVG)).toEqual({ ok: true, width: 240, height: 80 });
  expect(validateContent({ ...svg, width: null, height: null }, SVG).ok).toBe(true);
});
