import { SIZES } from "../catalogue/sizes.ts";
import type { OutputFormat, SafeArea, Size } from "../catalogue/types.ts";
import type { Compliance, ComplianceCheck, ElementRole, LayoutReport, RenderedFile } from "./types.ts";

/** What a verdict is given on: a file without its verdict. */
export type UncheckedFile = Omit<RenderedFile, "compliance">;

const MUST_STAY_INSIDE: readonly ElementRole[] = ["logo", "headline", "subheadline", "cta", "disclaimer"];

/**
 * Holds one file against the rules of its size, and names every group of the catalogue whose rules it meets.
 * `stepMsMin` is the shortest time that a frame of an animation shows: a network's rate is its fastest moment.
 */
export function evaluateCompliance(
  file: UncheckedFile,
  size: Size,
  layout: LayoutReport,
  stepMsMin: number | null = null,
): Compliance {
  const checks = checksOf(file, size, layout, stepMsMin);
  const acceptedBy = new Set<string>();
  for (const other of SIZES) {
    if (other.width !== file.width || other.height !== file.height) continue;
    if (checksOf(file, other, layout, stepMsMin).every((check) => check.passed)) acceptedBy.add(other.group);
  }
  return {
    verdict: checks.every((check) => check.passed) ? "pass" : "fail",
    byteCap: file.role === "backup" ? (size.animation.backupBytesMax ?? size.byteCap) : size.byteCap,
    checks,
    acceptedBy: [...acceptedBy],
  };
}

function checksOf(
  file: UncheckedFile,
  size: Size,
  layout: LayoutReport,
  stepMsMin: number | null,
): ComplianceCheck[] {
  const checks: ComplianceCheck[] = [
    check(
      "dimensions",
      `${file.width}x${file.height}`,
      `${size.width}x${size.height}`,
      size.sourceIds[0],
      (a, r) => a === r,
    ),
    check("format", file.extension, size.acceptedFormats.join(", "), size.sourceIds[0], () =>
      size.acceptedFormats.some((format) => format === formatOf(file)),
    ),
  ];
  const bytes = file.bytes.length;
  if (size.byteCap !== null) {
    const cap = size.byteCap;
    checks.push(
      check("byte_cap", `${bytes} bytes`, `at most ${cap} bytes`, size.byteCapSourceId, () => bytes <= cap),
    );
  }
  if (file.role === "backup" && size.animation.backupBytesMax !== null) {
    const cap = size.animation.backupBytesMax;
    const source = size.animation.backupSourceId;
    checks.push(check("backup_bytes", `${bytes} bytes`, `at most ${cap} bytes`, source, () => bytes <= cap));
  }
  if (size.safeArea !== null) {
    const { safeArea } = size;
    const out = outside(layout, safeArea, size);
    checks.push(
      check(
        "safe_area",
        out.length === 0 ? "free" : `covered by ${out.join(", ")}`,
        `free: top ${safeArea.top}, right ${safeArea.right}, bottom ${safeArea.bottom}, left ${safeArea.left} px`,
        size.safeAreaSourceId,
        () => out.length === 0,
      ),
    );
  }
  if (file.animation !== null) checks.push(...animationChecks(file.animation, size, stepMsMin));
  return checks;
}

function animationChecks(
  { frames, durationMs, loops }: NonNullable<RenderedFile["animation"]>,
  size: Size,
  stepMsMin: number | null,
): ComplianceCheck[] {
  const rule = size.animation;
  const totalMs = durationMs * loops;
  const stepMs = stepMsMin ?? (frames === 0 ? 0 : durationMs / frames);
  const rate = stepMs === 0 ? 0 : 1000 / stepMs;
  const checks = [
    check(
      "duration",
      `${totalMs} ms in all`,
      `at most ${rule.durationMsMax} ms`,
      rule.durationSourceId,
      () => totalMs <= rule.durationMsMax,
    ),
    check(
      "frame_rate",
      `${rate.toFixed(2)} a second`,
      `at most ${rule.framesPerSecondMax} a second`,
      rule.framesPerSecondSourceId,
      () => rate <= rule.framesPerSecondMax,
    ),
    check(
      "loops",
      String(loops),
      `at most ${rule.loopsMax}, then still`,
      rule.loopsSourceId,
      () => loops >= 1 && loops <= rule.loopsMax,
    ),
  ];
  if (rule.framesMax === null) return checks;
  const most = rule.framesMax;
  checks.push(check("frames", String(frames), `at most ${most}`, rule.framesSourceId, () => frames <= most));
  return checks;
}

function check(
  rule: ComplianceCheck["rule"],
  actual: string,
  required: string,
  sourceId: string | null | undefined,
  isMet: (actual: string, required: string) => boolean,
): ComplianceCheck {
  return { rule, passed: isMet(actual, required), actual, required, sourceId: sourceId ?? null };
}

function formatOf(file: UncheckedFile): OutputFormat {
  return file.extension;
}

function outside(layout: LayoutReport, safe: SafeArea, size: Size): ElementRole[] {
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
