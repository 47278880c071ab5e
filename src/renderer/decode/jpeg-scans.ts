import type { JpegStructure } from "./jpeg-markers.ts";
import type { BlockEdge, JpegPlan } from "./jpeg-plan.ts";

/** A scan's header (ITU-T T.81, B.2.3). */
export interface JpegScan {
  readonly members: readonly {
    readonly component: number;
    readonly dcTable: number;
    readonly acTable: number;
  }[];
  /** First and last coefficient of the band, in the file's order. */
  readonly first: number;
  readonly last: number;
  /** Bits below `high` were sent before; those below `low` come later. */
  readonly high: number;
  readonly low: number;
  readonly coded: Uint8Array;
}

/** Reads a scan's header; null when it names what the frame has not. */
export function readScan(jpeg: JpegStructure, body: Uint8Array, coded: Uint8Array): JpegScan | null {
  const count = body[0] ?? 0;
  if (count < 1 || count > jpeg.components.length || body.length < 4 + count * 2) return null;
  const members: JpegScan["members"][number][] = [];
  for (let at = 1; at <= count * 2; at += 2) {
    const component = jpeg.components.findIndex(({ id }) => id === body[at]);
    if (component < 0 || members.some((other) => other.component === component)) return null;
    const tables = body[at + 1] ?? 0;
    if (tables >> 4 > 3 || (tables & 15) > 3) return null;
    members.push({ component, dcTable: tables >> 4, acTable: tables & 15 });
  }
  const [first = 0, last = 0, approximation = 0] = body.subarray(1 + count * 2);
  const isProgressive = jpeg.coding === "progressive";
  return {
    members,
    first: isProgressive ? first : 0,
    last: isProgressive ? last : 63,
    high: isProgressive ? approximation >> 4 : 0,
    low: isProgressive ? approximation & 15 : 0,
    coded,
  };
}

/** Index of the last coefficient that is kept of a block. */
const LAST_KEPT: Readonly<Record<BlockEdge, number>> = { 1: 0, 2: 4, 4: 24, 8: 63 };

const bandOf = (first: number, last: number): bigint => (1n << BigInt(last + 1)) - (1n << BigInt(first));

/**
 * Tells which scans the reduced picture needs. A scan of coefficients that are left out is needed only where a
 * later one refines them among others that are kept, because its bits cannot be told apart otherwise.
 */
export function neededScans(scans: readonly JpegScan[], plan: JpegPlan): readonly boolean[] {
  const wanted = plan.componentEdges.map((edge) => bandOf(0, LAST_KEPT[edge]));
  const needed = scans.map(() => false);
  for (let index = scans.length - 1; index >= 0; index--) {
    const scan = scans[index];
    if (scan === undefined || scan.first > scan.last || scan.last > 63) continue;
    const band = bandOf(scan.first, scan.last);
    for (const { component } of scan.members) {
      const ofComponent = wanted[component] ?? 0n;
      if ((ofComponent & band) === 0n) continue;
      needed[index] = true;
      if (scan.high > 0) wanted[component] = ofComponent | band;
    }
  }
  return needed;
}

/** Whether each component has a first scan of its DC, without which nothing of it is known. */
export function coversAll(scans: readonly JpegScan[], components: number): boolean {
  const seen = new Set<number>();
  for (const { members, first, high } of scans) {
    if (first === 0 && high === 0) for (const { component } of members) seen.add(component);
  }
  return seen.size === components;
}
