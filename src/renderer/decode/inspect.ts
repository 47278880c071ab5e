import { sanitiseSvg } from "../svg/sanitise.ts";
import type { FontType, ImageType } from "../types.ts";
import { inspectFont } from "./inspect-font.ts";
import { type Inspection, rejected } from "./inspection.ts";
import { readJpegStructure } from "./jpeg-markers.ts";
import { JPEG_SCANS_MAX } from "./limits.ts";
import { readPngStructure } from "./png-chunks.ts";
import { findSizeExcess } from "./size-limit.ts";
import { describeUnsupportedFormat, detectUnsupportedFormat } from "./unsupported-format.ts";
import { readWebpStructure } from "./webp-chunks.ts";

export type { Inspection } from "./inspection.ts";

/**
 * Identifies an untrusted file without decoding its pixels: signature, structure to the end, declared size against the
 * limits. A file that passes may still turn out damaged when decoded. Never throws; takes time proportional to the
 * file's bytes.
 */
export function inspect(bytes: Uint8Array, declared: ImageType | FontType): Inspection {
  if (bytes.length === 0) return rejected("EMPTY", "The file is empty.");
  const unsupported = detectUnsupportedFormat(bytes);
  if (unsupported !== null) {
    const isWrappedFont = declared.startsWith("font/") && unsupported.name.startsWith("WOFF");
    return rejected(
      isWrappedFont ? "UNSUPPORTED" : "NOT_WHAT_IT_CLAIMS",
      describeUnsupportedFormat(unsupported),
    );
  }
  switch (declared) {
    case "image/jpeg":
      return inspectJpeg(bytes);
    case "image/png":
      return inspectPng(bytes);
    case "image/webp":
      return inspectWebp(bytes);
    case "image/svg+xml":
      return inspectSvg(bytes);
    case "font/otf":
    case "font/ttf":
      return inspectFont(bytes, declared);
  }
}

function inspectJpeg(bytes: Uint8Array): Inspection {
  const jpeg = readJpegStructure(bytes);
  if (typeof jpeg === "string") return faulty("JPEG", jpeg);
  const { width, height, orientation } = jpeg;
  if (!jpeg.endsWithEoi) return faulty("JPEG", "truncated");
  if (jpeg.scans > JPEG_SCANS_MAX) {
    return rejected(
      "TOO_LARGE",
      "The JPEG has more scans than any camera or editor makes. Save it as a baseline JPEG.",
    );
  }
  return (
    tooLarge(width, height) ?? {
      ok: true,
      value: {
        kind: "raster",
        mimeType: "image/jpeg",
        width,
        height,
        orientation,
        hasAlpha: false,
        frames: 1,
      },
    }
  );
}

function inspectPng(bytes: Uint8Array): Inspection {
  const png = readPngStructure(bytes);
  if (typeof png === "string") return faulty("PNG", png);
  const { width, height, orientation, frames } = png;
  const hasAlpha = png.colourType >= 4 || png.transparency !== null;
  return (
    tooLarge(width, height) ??
    animated(frames > 1) ?? {
      ok: true,
      value: { kind: "raster", mimeType: "image/png", width, height, orientation, hasAlpha, frames },
    }
  );
}

function inspectWebp(bytes: Uint8Array): Inspection {
  const webp = readWebpStructure(bytes);
  if (typeof webp === "string") return faulty("WebP", webp);
  const { width, height, orientation, hasAlpha, frames } = webp;
  return (
    tooLarge(width, height) ??
    // Test the picture, not the number of frames: an animation of one frame has no still picture either.
    animated(webp.picture === null) ?? {
      ok: true,
      value: { kind: "raster", mimeType: "image/webp", width, height, orientation, hasAlpha, frames },
    }
  );
}

function inspectSvg(bytes: Uint8Array): Inspection {
  const svg = sanitiseSvg(bytes);
  if (!svg.ok) return svg;
  return { ok: true, value: { kind: "svg", width: svg.value.width, height: svg.value.height } };
}

function faulty(format: string, fault: string): Inspection {
  switch (fault) {
    case "truncated":
      return rejected(
        "TRUNCATED",
        `The ${format} ends before its picture does. Upload the whole file again.`,
      );
    case "unsupported":
      return rejected("UNSUPPORTED", `The ${format} uses a variant that is not supported. Export it again.`);
    case "broken":
      return rejected("NOT_WHAT_IT_CLAIMS", `The ${format} is damaged. Export it again.`);
    default:
      return rejected("NOT_WHAT_IT_CLAIMS", `The file is not a ${format}.`);
  }
}

function tooLarge(width: number, height: number): Inspection | null {
  const found = findSizeExcess(width, height);
  return found && { ...rejected("TOO_LARGE", found.message), excess: found.excess };
}

function animated(isAnimated: boolean): Inspection | null {
  return isAnimated ? rejected("UNSUPPORTED", "The picture is animated. Upload a still one.") : null;
}
