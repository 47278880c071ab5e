import type { LayoutElement } from "#renderer/index.ts";
import type { DrawnOutput } from "../workers/tasks.ts";

/**
 * A design as plain boxes, taken from the renderer's layout report, so that all contestants draw the same. The
 * competitors get the renderer's decisions (crop, type sizes, contrast) for free.
 */
export interface Composition {
  readonly sizeId: string;
  readonly width: number;
  readonly height: number;
  readonly hero: Placed;
  /** The scaled photograph. Its top left corner is relative to that of `hero`. */
  readonly photo: Placed;
  /** Whether the photograph fills the design. Then it gets a gradient behind the text. */
  readonly hasScrim: boolean;
  readonly logo: Placed;
  readonly headline: Words;
  readonly button: Words;
}

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Words extends Placed {
  readonly fontSizePx: number;
  readonly lines: readonly string[];
}

export const COLOURS = {
  ground: "#f7f3ea",
  words: "#1c1a17",
  button: "#8a4b08",
  buttonWords: "#ffffff",
} as const;

function elementOf({ sizeId, layout }: DrawnOutput, role: LayoutElement["role"]): LayoutElement {
  const element = layout.elements.find((candidate) => candidate.role === role);
  if (element === undefined) throw new Error(`the design of ${sizeId} has no ${role}`);
  return element;
}

function wordsOf(output: DrawnOutput, role: LayoutElement["role"]): Words {
  const { box, fontSizePx = 0, lines = [] } = elementOf(output, role);
  return { ...box, fontSizePx, lines };
}

export function compositionOf(output: DrawnOutput): Composition {
  const { sizeId, width, height, layout } = output;
  const hero = elementOf(output, "hero").box;
  const [crop] = layout.crops;
  if (crop === undefined) throw new Error(`the design of ${sizeId} shows no picture`);
  const scale = hero.width / crop.shown.width;
  return {
    sizeId,
    width,
    height,
    hero,
    photo: {
      x: -crop.shown.x * scale,
      y: -crop.shown.y * scale,
      width: crop.sourceWidth * scale,
      height: crop.sourceHeight * scale,
    },
    hasScrim: hero.width === width && hero.height === height,
    logo: elementOf(output, "logo").box,
    headline: wordsOf(output, "headline"),
    button: wordsOf(output, "cta"),
  };
}
