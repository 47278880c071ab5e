import type { Codec } from "../codec.ts";
import type { OrientedRows } from "./exif-orientation.ts";
import type { JpegSegment, JpegStructure } from "./jpeg-markers.ts";
import type { DctSize, JpegPlan } from "./jpeg-plan.ts";

/** A file's colour encoding, numbered as in `kernels/jpeg/colour-conversion.ts`. */
const JPEG_COLOURS = { grey: 0, rgb: 1, ycc: 2, cmyk: 3, invertedCmyk: 4, ycck: 5 } as const;
export type JpegColours = keyof typeof JPEG_COLOURS;

export interface JpegDecoder extends Codec {
  /** Decodes according to the plan and adds the rows to `to`. False when the file is damaged. */
  decode(jpeg: JpegStructure, plan: JpegPlan, colours: JpegColours, to: OrientedRows): boolean;
}

interface JpegKernel {
  readonly memory: WebAssembly.Memory;
  begin(
    width: number,
    height: number,
    components: number,
    dctSize: number,
    isBuffered: boolean,
    isProgressive: boolean,
  ): void;
  setComponent(index: number, h: number, v: number, tq: number, dctSize: number): void;
  layOut(colours: number, factor: number): number;
  segmentAt(): number;
  readDqt(length: number): number;
  readDht(length: number): number;
  setRestartInterval(mcus: number): void;
  clearScanComponents(): void;
  addScanComponent(index: number, td: number, ta: number): void;
  beginScan(ss: number, se: number, ah: number, al: number): number;
  inputRoom(): number;
  inputAt(): number;
  feed(bytes: number, isLast: boolean): void;
  readScan(): number;
  beginBuffered(): void;
  readBuffered(): number;
  rowsAt(): number;
  rowsReady(): number;
}

/* Status codes of the kernel (`kernels/jpeg/memory.ts`). */

const DONE = 0;
const NEEDS_INPUT = 1;
const HAS_ROWS = 2;

export async function createJpegDecoder(module: WebAssembly.Module): Promise<JpegDecoder> {
  const instance = await WebAssembly.instantiate(module);
  const kernel = instance.exports as unknown as JpegKernel;
  return {
    memoryBytes: () => kernel.memory.buffer.byteLength,
    decode: (jpeg, plan, colours, to) => decode(kernel, jpeg, plan, colours, to),
  };
}

function decode(
  kernel: JpegKernel,
  jpeg: JpegStructure,
  plan: JpegPlan,
  colours: JpegColours,
  to: OrientedRows,
): boolean {
  const scans = readScans(jpeg);
  if (scans === null || !coversAll(scans, jpeg.components.length)) return false;
  const needed = neededScans(scans, plan);
  const isProgressive = jpeg.coding === "progressive";
  kernel.begin(jpeg.width, jpeg.height, jpeg.components.length, plan.dctSize, plan.isBuffered, isProgressive);
  for (const [index, { h, v, tq }] of jpeg.components.entries()) {
    kernel.setComponent(index, h, v, tq, plan.componentDctSizes[index] ?? plan.dctSize);
  }
  if (kernel.layOut(JPEG_COLOURS[colours], plan.factor) !== DONE) return false;
  const take = (): void => {
    to.add(new Uint8Array(kernel.memory.buffer, kernel.rowsAt(), kernel.rowsReady() * plan.width * 4));
  };

  let scansRead = 0;
  for (const segment of jpeg.segments) {
    if (segment.marker !== "SOS") {
      if (!readTables(kernel, segment)) return false;
      continue;
    }
    const scan = scans[scansRead];
    if (scan !== undefined && needed[scansRead] && !runScan(kernel, scan, take)) return false;
    scansRead += 1;
    if (!plan.isBuffered) break;
  }
  if (plan.isBuffered) {
    kernel.beginBuffered();
    while (kernel.readBuffered() === HAS_ROWS) take();
  }
  return true;
}

function readScans(jpeg: JpegStructure): readonly JpegScan[] | null {
  const scans: JpegScan[] = [];
  for (const { marker, body, entropyCoded } of jpeg.segments) {
    if (marker !== "SOS") continue;
    const scan = readScan(jpeg, body, entropyCoded);
    if (scan === null) return null;
    scans.push(scan);
  }
  return scans;
}

function readTables(kernel: JpegKernel, { marker, body }: JpegSegment): boolean {
  if (marker === "DRI") {
    kernel.setRestartInterval(((body[0] ?? 0) << 8) | (body[1] ?? 0));
    return body.length >= 2;
  }
  const to = kernel.segmentAt();
  new Uint8Array(kernel.memory.buffer).set(body, to);
  return (marker === "DHT" ? kernel.readDht(body.length) : kernel.readDqt(body.length)) === DONE;
}

function runScan(kernel: JpegKernel, scan: JpegScan, take: () => void): boolean {
  kernel.clearScanComponents();
  for (const { component, td, ta } of scan.components) kernel.addScanComponent(component, td, ta);
  if (kernel.beginScan(scan.ss, scan.se, scan.ah, scan.al) !== DONE) return false;
  let fed = 0;
  for (;;) {
    const status = kernel.readScan();
    if (status === HAS_ROWS) {
      take();
      continue;
    }
    if (status !== NEEDS_INPUT) return status === DONE;
    // The kernel still needs input after the last chunk, which may be empty: the scan is damaged.
    if (fed > scan.entropyCoded.length) return false;
    const piece = scan.entropyCoded.subarray(fed, fed + kernel.inputRoom());
    new Uint8Array(kernel.memory.buffer).set(piece, kernel.inputAt());
    const isLast = fed + piece.length >= scan.entropyCoded.length;
    kernel.feed(piece.length, isLast);
    fed += isLast ? piece.length + 1 : piece.length;
  }
}

/** A scan header: Csj, Tdj and Taj of each component, then Ss, Se, Ah and Al (ITU-T T.81, B.2.3). */
interface JpegScan {
  readonly components: readonly {
    /** Index of the component in the frame header. */
    readonly component: number;
    readonly td: number;
    readonly ta: number;
  }[];
  /** Spectral selection: zig-zag indices of the first and last coefficient. */
  readonly ss: number;
  readonly se: number;
  /** Successive approximation: bit positions of the previous scan (0 in a first scan) and of this one. */
  readonly ah: number;
  readonly al: number;
  readonly entropyCoded: Uint8Array;
}

/** Reads a scan header; null when it names a component that the frame does not have. */
function readScan(jpeg: JpegStructure, body: Uint8Array, entropyCoded: Uint8Array): JpegScan | null {
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

/** The zig-zag index of a block's last kept coefficient. */
const LAST_KEPT: Readonly<Record<DctSize, number>> = { 1: 0, 2: 4, 4: 24, 8: 63 };

const bandOf = (ss: number, se: number): bigint => (1n << BigInt(se + 1)) - (1n << BigInt(ss));

/**
 * The scans that a picture needs at this scale. A scan of dropped coefficients is needed if a later refinement scan
 * covers them together with kept ones, because the scan's correction bits depend on them.
 */
function neededScans(scans: readonly JpegScan[], plan: JpegPlan): readonly boolean[] {
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
function coversAll(scans: readonly JpegScan[], components: number): boolean {
  const seen = new Set<number>();
  for (const { components, ss, ah } of scans) {
    if (ss === 0 && ah === 0) for (const { component } of components) seen.add(component);
  }
  return seen.size === components;
}
