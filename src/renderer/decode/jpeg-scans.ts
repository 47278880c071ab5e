import type { JpegStructure } from "./jpeg-markers.ts";
import type { DctSize, JpegPlan } from "./jpeg-plan.ts";

/** A scan header: Csj, Tdj and Taj of each component, then Ss, Se, Ah and Al (ITU-T T.81, B.2.3). */
export interface JpegScan {
  readonly components: readonly {
    /** Index in the frame. */
    readonly component: number;
    readonly td: number;
    readonly ta: number;
  }[];
  /** Spectral selection: zig-zag indices of the first and last coefficient. */
  readonly ss: number;
  readonly se: number;
  /** Successive approximation: bit positions of the scan before (0 in a first scan) and of this one. */
  readonly ah: number;
  readonly al: number;
  readonly entropyCoded: Uint8Array;
}

/** Reads a scan header; null when it names a component that the frame does not have. */
export function readScan(jpeg: JpegStructure, body: Uint8Array, entropyCoded: Uint8Array): JpegScan | null {
  const count = body[0] ?? 0;
  if (count < 1 || count > jpeg.components.length || body.length < 4 + count * 2) return null;
  const components: JpegScan["components"][number][] = [];
  for (let at = 1; at <= count * 2; at += 2) {
    const component = jpeg.components.findIndex(({ id }) => id === body[at]);
    if (component < 0 || components.some((other) => other.component === component)) return null;
    const tables = body[at + 1] ?? 0;
    if (tables >> 4 > 3 || (tables & 15) > 3) return null;
    components.push({ component, td: tables >> 4, ta: tables & 15 });
  }
  const [ss = 0, se = 0, approximation = 0] = body.subarray(1 + count * 2);
  const isProgressive = jpeg.coding === "progressive";
  return {
    components,
    ss: isProgressive ? ss : 0,
    se: isProgressive ? se : 63,
    ah: isProgressive ? approximation >> 4 : 0,
    al: isProgressive ? approximation & 15 : 0,
    entropyCoded,
  };
}

/** The zig-zag index of the last coefficient that is kept of a block. */
const LAST_KEPT: Readonly<Record<DctSize, number>> = { 1: 0, 2: 4, 4: 24, 8: 63 };

const bandOf = (ss: number, se: number): bigint => (1n << BigInt(se + 1)) - (1n << BigInt(ss));

/**
 * Which scans a picture at this scale needs. A scan of coefficients that are not kept is needed where a later
 * refinement scan covers them together with kept ones: which correction bits that scan has depends on them.
 */
export function neededScans(scans: readonly JpegScan[], plan: JpegPlan): readonly boolean[] {
  const wanted = plan.componentDctSizes.map((dctSize) => bandOf(0, LAST_KEPT[dctSize]));
  const needed = scans.map(() => false);
  for (let index = scans.length - 1; index >= 0; index--) {
    const scan = scans[index];
    if (scan === undefined || scan.ss > scan.se || scan.se > 63) continue;
    const band = bandOf(scan.ss, scan.se);
    for (const { component } of scan.components) {
      const ofComponent = wanted[component] ?? 0n;
      if ((ofComponent & band) === 0n) continue;
      needed[index] = true;
      if (scan.ah > 0) wanted[component] = ofComponent | band;
    }
  }
  return needed;
}

/** Whether each component has a first scan of its DC coefficients. */
export function coversAll(scans: readonly JpegScan[], components: number): boolean {
  const seen = new Set<number>();
  for (const { components, ss, ah } of scans) {
    if (ss === 0 && ah === 0) for (const { component } of components) seen.add(component);
  }
  return seen.size === components;
}
