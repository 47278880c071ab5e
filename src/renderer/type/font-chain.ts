import { traitsOf } from "../fonts/fallback-families.ts";
import { clustersOf, drawnCodePoints } from "./clusters.ts";
import { type FallbackFile, type FallbackPlan, isCovered, isDroppable, isWideIn } from "./fallback-plan.ts";
import type { FontFace, ScriptRun } from "./font-face.ts";

/** A face, and its scale relative to the main face. */
export interface SetFace {
  readonly face: FontFace;
  /** Units of the main face per unit of this face. */
  readonly scale: number;
  /** Null for the main face and the bundled one. */
  readonly familyId: string | null;
}

/** A run of one script and direction that one face draws. */
export interface FaceRun extends ScriptRun, SetFace {}

/** Capital height of the bundled font, in ems. The sizes of fallback typefaces are tuned for it. */
const BUNDLED_CAPITALS_EM = 0.727;
/** Limits of the scale of other faces, for a main font with very small or large capitals. */
const MATCHED_SIZE = { least: 0.86, most: 1.14 } as const;

const LETTER = /^[\p{L}\p{N}]/u;

/** The faces of one weight in order: the main face, the bundled face, then the library's faces for the copy. */
export class FaceChain {
  readonly main: FontFace;
  /** BCP 47 tag of the copy; undefined when unknown. */
  readonly language: string | undefined;
  readonly #bundled: FontFace | null;
  readonly #plan: FallbackPlan;
  readonly #open: (file: FallbackFile) => FontFace;
  readonly #made = new Map<string, SetFace>();

  constructor(
    main: FontFace,
    bundled: FontFace | null,
    plan: FallbackPlan,
    open: (file: FallbackFile) => FontFace,
    language: string | undefined,
  ) {
    this.main = main;
    this.language = language;
    this.#bundled = bundled;
    this.#plan = plan;
    this.#open = open;
  }

  /** The typefaces of the library that a text needs. */
  familiesOf(text: string): ReadonlySet<string> {
    const families = new Set<string>();
    if (this.#plan.files.size === 0) return families;
    for (const cluster of clustersOf(text)) {
      for (const part of [cluster, ...cluster]) {
        const file = this.#plan.files.get(part);
        if (file !== undefined) families.add(file.familyId);
      }
    }
    return families;
  }

  /** The typeface of the library that draws more than half of a text's letters; null if there is none. */
  dominantFamily(text: string): string | null {
    if (this.#plan.files.size === 0) return null;
    const letters = clustersOf(text).filter((cluster) => LETTER.test(cluster));
    const counts = new Map<string, number>();
    for (const letter of letters) {
      const id = this.#plan.files.get(letter)?.familyId;
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return [...counts].find(([, count]) => count * 2 > letters.length)?.[0] ?? null;
  }

  /** Splits a run among the faces that have its characters, in visual order. Characters in no run are not drawn. */
  faceRuns(text: string, run: ScriptRun): readonly FaceRun[] {
    if (this.#bundled === null && this.#plan.files.size === 0) return [{ ...run, ...this.#mainFace() }];
    const runs: FaceRun[] = [];
    let at = run.start;
    const add = (length: number, set: SetFace): void => {
      const last = runs.at(-1);
      if (last?.face === set.face && last.end === at) runs[runs.length - 1] = { ...last, end: at + length };
      else runs.push({ ...run, ...set, start: at, end: at + length });
      at += length;
    };
    for (const cluster of clustersOf(text.slice(run.start, run.end))) {
      const whole = this.#faceOf(text, cluster, runs.at(-1));
      if (whole !== null) add(cluster.length, whole);
      else {
        for (const part of cluster) {
          if (isDroppable(cluster, part)) at += part.length;
          else add(part.length, this.#faceOf(text, part, runs.at(-1)) ?? this.#mainFace());
        }
      }
    }
    return run.isRightToLeft ? runs.reverse() : runs;
  }

  /** Null if no single face has the whole cluster. */
  #faceOf(text: string, cluster: string, before: SetFace | undefined): SetFace | null {
    const planned = this.#plan.files.get(cluster);
    const isInMain = isCovered(this.main, cluster);
    // A planned sign may be wide in one text of the copy and have its usual width, from the main face, in another text.
    if (planned !== undefined && (!isInMain || isWideIn(text, cluster))) return this.#fallback(planned);
    const drawn = drawnCodePoints(cluster);
    // Blanks and joiners belong to the letters before them, so that a run of several words is shaped as one,
    // except blanks after emoji, because an emoji font's blank is as wide as an emoji.
    if (drawn.length === 0 && before !== undefined && !isWideBlank(cluster, before)) return before;
    if (isInMain) return this.#mainFace();
    if (this.#bundled !== null && isCovered(this.#bundled, cluster)) return this.#matched(this.#bundled);
    return null;
  }

  #mainFace(): SetFace {
    return { face: this.main, scale: 1, familyId: null };
  }

  #fallback(file: FallbackFile): SetFace {
    const known = this.#made.get(file.file.name);
    if (known !== undefined) return known;
    const matched = this.#matched(this.#open(file));
    const made = { ...matched, scale: matched.scale * traitsOf(file.familyId).size, familyId: file.familyId };
    this.#made.set(file.file.name, made);
    return made;
  }

  /**
   * A face at the scale that matches the main face. The scale makes the bundled face's capitals as high as those of the
   * main face, within `MATCHED_SIZE`.
   */
  #matched(face: FontFace): SetFace {
    const { metrics, unitsPerEm } = this.main;
    const ratio = metrics.capHeight / unitsPerEm / BUNDLED_CAPITALS_EM;
    const size = Math.min(MATCHED_SIZE.most, Math.max(MATCHED_SIZE.least, ratio));
    return { face, scale: (size * unitsPerEm) / face.unitsPerEm, familyId: null };
  }
}

const isWideBlank = (cluster: string, before: SetFace): boolean =>
  before.familyId === "noto-emoji" && /^\p{White_Space}$/u.test(cluster);
