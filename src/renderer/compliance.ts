import { atScale, type ScaledSize, takesScale } from "../catalogue/scales.ts";
import { SIZES } from "../catalogue/sizes.ts";
import type { BannerRule, OutputFormat, SafeArea } from "../catalogue/types.ts";
import {
  type Compliance,
  type ComplianceCheck,
  type ElementRole,
  type LayoutReport,
  type RenderedFile,
  TEXT_ROLES,
} from "./types.ts";

/** A file before its compliance is evaluated. */
export type UncheckedFile = Omit<RenderedFile, "compliance">;

/** Every size of the catalogue, at each pixel scale that its network documents. */
const RULES: readonly ScaledSize[] = SIZES.flatMap((size) =>
  takesScale(size, 2) ? [size, atScale(size, 2)] : [size],
);

const MUST_STAY_INSIDE: readonly ElementRole[] = ["logo", ...TEXT_ROLES];

/**
 * Checks one file against the rules of its size, and lists every group of the catalogue whose rules it meets.
 * `stepMsMin` is the shortest time that a frame is shown; the frame-rate limit applies at every moment, not on average.
 */
export function evaluateCompliance(
  file: UncheckedFile,
  size: ScaledSize,
  layout: LayoutReport,
  stepMsMin: number | null = null,
): Compliance {
  const checks = checksOf(file, size, layout, stepMsMin);
  const acceptedBy = new Set<string>();
  for (const other of RULES) {
    if (other.width !== file.width || other.height !== file.height) continue;
    // Check the file's own size by the given rules, which may be older than the catalogue's.
    const rules = other.sizeId === size.sizeId ? size : other;
    if (checksOf(file, rules, layout, stepMsMin).every((check) => check.passed)) acceptedBy.add(other.group);
  }
  return {
    verdict: checks.every((check) => check.passed) ? "pass" : "fail",
    byteCap: file.role === "backup" ? (size.animation.backupBytesMax ?? size.byteCap) : size.byteCap,
    checks,
    acceptedBy: [...acceptedBy],
  };
}

/** A file before it is encoded. */
export type UnwrittenFile = Omit<UncheckedFile, "bytes" | "contentType" | "extension">;

/** Checks an output by the rules of its own size that do not need the file's bytes. */
export function evaluateUnwritten(
  file: UnwrittenFile,
  size: ScaledSize,
  layout: LayoutReport,
  stepMsMin: number | null = null,
): Omit<Compliance, "acceptedBy"> {
  const checks = checksOf({ ...file, bytes: null }, size, layout, stepMsMin);
  const verdict = checks.every((check) => check.passed) ? "pass" : "fail";
  return { verdict, byteCap: size.byteCap, checks };
}

function checksOf(
  file: UnwrittenFile & { readonly bytes: Uint8Array | null },
  size: ScaledSize,
  layout: LayoutReport,
  stepMsMin: number | null,
): ComplianceCheck[] {
  const pixels = `${file.width}x${file.height}`;
  const required = `${size.width}x${size.height}`;
  const formats: readonly OutputFormat[] = size.acceptedFormats;
  const pixelsSourceId = size.scale === 2 ? size.scale2SourceId : size.sourceIds[0];
  const checks = [
    check("dimensions", pixels === required, pixels, required, pixelsSourceId),
    check("format", formats.includes(file.format), file.format, formats.join(", "), size.sourceIds[0]),
  ];
  const checkBytes = (rule: ComplianceCheck["rule"], cap: number, sourceId: string | null): void => {
    if (file.bytes === null) return;
    const bytes = file.bytes.length;
    checks.push(check(rule, bytes <= cap, `${bytes} bytes`, `at most ${cap} bytes`, sourceId));
  };
  const { backupBytesMax, backupSourceId } = size.animation;
  // A banner's cap applies to its initial load; images and videos have different caps.
  const isImage = file.format !== "html5" && file.format !== "mp4";
  if (isImage && size.byteCap !== null) checkBytes("byte_cap", size.byteCap, size.byteCapSourceId);
  if (file.role === "backup" && backupBytesMax !== null) {
    checkBytes("backup_bytes", backupBytesMax, backupSourceId);
  }
  if (size.safeArea !== null) {
    const { top, right, bottom, left } = size.safeArea;
    const out = outside(layout, size.safeArea, size);
    const actual = out.length === 0 ? "free" : `covered by ${out.join(", ")}`;
    const free = `free: top ${top}, right ${right}, bottom ${bottom}, left ${left} px`;
    checks.push(check("safe_area", out.length === 0, actual, free, size.safeAreaSourceId));
  }
  const { animation } = file;
  if (animation !== null) {
    if (file.format === "mp4") checks.push(...videoChecks(file.bytes, animation, size));
    else checks.push(...animationChecks(animation, size, file.format === "html5" ? "smooth" : stepMsMin));
  }
  if (file.load !== undefined && size.banner !== undefined)
    checks.push(...loadChecks(file.load, size.banner));
  return checks;
}

function loadChecks(
  { bytes, files }: NonNullable<RenderedFile["load"]>,
  rule: BannerRule,
): ComplianceCheck[] {
  const { loadBytesMax, loadSourceId, filesMax, filesSourceId } = rule;
  return [
    check(
      "load_bytes",
      bytes <= loadBytesMax,
      `${bytes} bytes`,
      `at most ${loadBytesMax} bytes`,
      loadSourceId,
    ),
    check("files", files <= filesMax, String(files), `at most ${filesMax}`, filesSourceId),
  ];
}

function videoChecks(
  bytes: Uint8Array | null,
  { frames, durationMs }: NonNullable<RenderedFile["animation"]>,
  { video }: ScaledSize,
): ComplianceCheck[] {
  if (video === undefined) return [];
  const { durationMsMin, durationMsMax, framesPerSecondMax, bytesMax, bitsPerSecondMin, sourceId } = video;
  const rate = (frames * 1000) / durationMs;
  const lasts = durationMs >= durationMsMin && durationMs <= durationMsMax;
  const length = `${durationMsMin} to ${durationMsMax} ms`;
  const checks = [
    check("duration", lasts, `${durationMs} ms`, length, sourceId),
    check(
      "frame_rate",
      rate <= framesPerSecondMax,
      `${rate} a second`,
      `at most ${framesPerSecondMax} a second`,
      sourceId,
    ),
  ];
  if (bytes === null) return checks;
  const bits = Math.round((bytes.length * 8 * 1000) / durationMs);
  checks.push(
    check(
      "byte_cap",
      bytes.length <= bytesMax,
      `${bytes.length} bytes`,
      `at most ${bytesMax} bytes`,
      sourceId,
    ),
  );
  if (bitsPerSecondMin !== null)
    checks.push(
      check(
        "bit_rate",
        bits >= bitsPerSecondMin,
        `${bits} bits a second`,
        `at least ${bitsPerSecondMin} bits a second`,
        sourceId,
      ),
    );
  return checks;
}

function animationChecks(
  { frames, durationMs, loops }: NonNullable<RenderedFile["animation"]>,
  size: ScaledSize,
  stepMsMin: number | "smooth" | null,
): ComplianceCheck[] {
  const { durationMsMax, framesPerSecondMax, loopsMax, framesMax, ...sources } = size.animation;
  const totalMs = durationMs * loops;
  const stepMs = (stepMsMin === "smooth" ? null : stepMsMin) ?? (frames === 0 ? 0 : durationMs / frames);
  const rate = stepMs === 0 ? 0 : 1000 / stepMs;
  const { durationSourceId, framesPerSecondSourceId, loopsSourceId, framesSourceId } = sources;
  const total = `${totalMs} ms in all`;
  const perSecond = `${rate.toFixed(2)} a second`;
  const isLoopCountMet = loops >= 1 && loops <= loopsMax;
  const checks = [
    check("duration", totalMs <= durationMsMax, total, `at most ${durationMsMax} ms`, durationSourceId),
    check(
      "frame_rate",
      rate <= framesPerSecondMax,
      perSecond,
      `at most ${framesPerSecondMax} a second`,
      framesPerSecondSourceId,
    ),
    check("loops", isLoopCountMet, String(loops), `at most ${loopsMax}, then still`, loopsSourceId),
  ];
  // Frame rate rules apply to files with frames. HTML5 banners have no frames: the browser animates them.
  if (stepMsMin === "smooth") return checks.filter(({ rule }) => rule !== "frame_rate");
  if (framesMax === null) return checks;
  return [
    ...checks,
    check("frames", frames <= framesMax, String(frames), `at most ${framesMax}`, framesSourceId),
  ];
}

function check(
  rule: ComplianceCheck["rule"],
  passed: boolean,
  actual: string,
  required: string,
  sourceId: string | null | undefined,
): ComplianceCheck {
  return { rule, passed, actual, required, sourceId: sourceId ?? null };
}

function outside(layout: LayoutReport, safe: SafeArea, size: ScaledSize): ElementRole[] {
  return layout.elements
    .filter(
      ({ role, box }) =>
        MUST_STAY_INSIDE.includes(role) &&
        (box.x < safe.left ||
          box.y < safe.top ||
          box.x + box.width > size.width - safe.right ||
          box.y + box.height > size.height - safe.bottom),
    )
    .map(({ role }) => role);
}
