import type { CleanElement } from "./clean-element.ts";
import { type DashArray, readDashArray, readLength } from "./length.ts";
import { DASH_MEMBERS_MAX, type WorkBudget } from "./limits.ts";
import { type Matrix, parseTransform } from "./transform.ts";

export interface Paint {
  readonly isNone: boolean;
  /** The gradients and patterns it references. */
  readonly servers: readonly CleanElement[];
}

/** Properties that are inherited. */
export interface Inherited {
  readonly fill: Paint;
  readonly stroke: Paint;
  /** Null when unreadable. */
  readonly strokeWidth: number | null;
  readonly dashes: DashArray;
}

export interface SpecifiedStyle {
  readonly inherited: Partial<Inherited>;
  /** Null when unreadable. */
  readonly matrix: Matrix | null;
  readonly masks: readonly CleanElement[];
  readonly clips: readonly CleanElement[];
  readonly filters: readonly CleanElement[];
}

export const INITIAL_STYLE: Inherited = {
  fill: { isNone: false, servers: [] },
  stroke: { isNone: true, servers: [] },
  strokeWidth: 1,
  dashes: { members: 0, period: 0 },
};

/** Reads an element's specified style. Callers should cache the result, because an element may be drawn often. */
export function specifiedStyleOf(
  element: CleanElement,
  byId: ReadonlyMap<string, CleanElement>,
  viewBoxSide: number,
  steps: WorkBudget,
): SpecifiedStyle {
  const { style, targets } = element;
  const targetsOf = (property: string): readonly CleanElement[] =>
    (targets.get(property) ?? []).flatMap((id) => byId.get(id) ?? []);
  const paintOf = (property: string, value: string): Paint => ({
    isNone: value === "none",
    servers: targetsOf(property),
  });
  const inherited: { -readonly [Name in keyof Inherited]?: Inherited[Name] } = {};
  const declaredValue = (property: string): string | undefined => {
    const value = style.get(property);
    return value === "inherit" ? undefined : value;
  };
  const [fill, stroke] = [declaredValue("fill"), declaredValue("stroke")];
  const [width, dashes] = [declaredValue("stroke-width"), declaredValue("stroke-dasharray")];
  if (fill !== undefined) inherited.fill = paintOf("fill", fill);
  if (stroke !== undefined) inherited.stroke = paintOf("stroke", stroke);
  if (width !== undefined) inherited.strokeWidth = readLength(width, viewBoxSide, steps);
  if (dashes !== undefined) inherited.dashes = readDashArray(dashes, DASH_MEMBERS_MAX, viewBoxSide, steps);
  return {
    inherited,
    matrix: parseTransform(element.attributes.get("transform"), steps),
    masks: targetsOf("mask"),
    clips: targetsOf("clip-path"),
    filters: targetsOf("filter"),
  };
}
