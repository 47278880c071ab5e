import type { Codec } from "../codec.ts";
import type { JpegSegment, JpegStructure } from "./jpeg-markers.ts";
import type { JpegPlan } from "./jpeg-plan.ts";
import { coversAll, type JpegScan, neededScans, readScan } from "./jpeg-scans.ts";
import type { UprightRows } from "./upright-rows.ts";

/** What a pixel's four bytes are made of; the kernel's numbers. */
const JPEG_COLOURS = { grey: 0, rgb: 1, ycc: 2, inks: 3, invertedInks: 4, ycck: 5 } as const;
export type JpegColours = keyof typeof JPEG_COLOURS;

export interface JpegDecoder extends Codec {
  /** Decodes as planned and adds the rows to `to`. False when the file does not decode. */
  decode(jpeg: JpegStructure, plan: JpegPlan, colours: JpegColours, to: UprightRows): boolean;
}

/** The exports of `kernels/jpeg`. */
interface JpegKernel {
  readonly memory: WebAssembly.Memory;
  begin(
    width: number,
    height: number,
    components: number,
    edge: number,
    holds: boolean,
    refines: boolean,
  ): void;
  component(index: number, across: number, down: number, quantisation: number, edge: number): void;
  layOut(colours: number, factor: number): number;
  segment(): number;
  quantisations(length: number): number;
  prefixCodes(length: number): number;
  restarts(units: number): void;
  beginMembers(): void;
  scanMember(index: number, dcTable: number, acTable: number): void;
  beginScan(first: number, last: number, high: number, low: number): number;
  inputRoom(): number;
  inputEnd(): number;
  feed(bytes: number, isLast: boolean): void;
  readScan(): number;
  beginPicture(): void;
  readPicture(): number;
  rows(): number;
  rowCount(): number;
}

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
  to: UprightRows,
): boolean {
  const scans = readScans(jpeg);
  if (scans === null || !coversAll(scans, jpeg.components.length)) return false;
  const needed = neededScans(scans, plan);
  const isProgressive = jpeg.coding === "progressive";
  kernel.begin(jpeg.width, jpeg.height, jpeg.components.length, plan.edge, plan.isHeld, isProgressive);
  for (const [index, { across, down, quantisation }] of jpeg.components.entries()) {
    kernel.component(index, across, down, quantisation, plan.componentEdges[index] ?? plan.edge);
  }
  if (kernel.layOut(JPEG_COLOURS[colours], plan.factor) !== DONE) return false;
  const take = (): void => {
    to.add(new Uint8Array(kernel.memory.buffer, kernel.rows(), kernel.rowCount() * plan.width * 4));
  };

  let scansRead = 0;
  for (const segment of jpeg.segments) {
    if (segment.kind !== "scan") {
      if (!readTables(kernel, segment)) return false;
      continue;
    }
    const scan = scans[scansRead];
    if (scan !== undefined && needed[scansRead] && !runScan(kernel, scan, take)) return false;
    scansRead += 1;
    if (!plan.isHeld) break;
  }
  if (plan.isHeld) {
    kernel.beginPicture();
    while (kernel.readPicture() === HAS_ROWS) take();
  }
  return true;
}

function readScans(jpeg: JpegStructure): readonly JpegScan[] | null {
  const scans: JpegScan[] = [];
  for (const { kind, body, coded } of jpeg.segments) {
    if (kind !== "scan") continue;
    const scan = readScan(jpeg, body, coded);
    if (scan === null) return null;
    scans.push(scan);
  }
  return scans;
}

function readTables(kernel: JpegKernel, { kind, body }: JpegSegment): boolean {
  if (kind === "restart") {
    kernel.restarts(((body[0] ?? 0) << 8) | (body[1] ?? 0));
    return body.length >= 2;
  }
  const to = kernel.segment();
  new Uint8Array(kernel.memory.buffer).set(body, to);
  return (kind === "huffman" ? kernel.prefixCodes(body.length) : kernel.quantisations(body.length)) === DONE;
}

function runScan(kernel: JpegKernel, scan: JpegScan, take: () => void): boolean {
  kernel.beginMembers();
  for (const { component, dcTable, acTable } of scan.members) kernel.scanMember(component, dcTable, acTable);
  if (kernel.beginScan(scan.first, scan.last, scan.high, scan.low) !== DONE) return false;
  let fed = 0;
  for (;;) {
    const status = kernel.readScan();
    if (status === HAS_ROWS) {
      take();
      continue;
    }
    if (status !== NEEDS_INPUT) return status === DONE;
    // The last piece may have been empty; what asks for more behind it is damaged.
    if (fed > scan.coded.length) return false;
    const piece = scan.coded.subarray(fed, fed + kernel.inputRoom());
    new Uint8Array(kernel.memory.buffer).set(piece, kernel.inputEnd());
    const isLast = fed + piece.length >= scan.coded.length;
    kernel.feed(piece.length, isLast);
    fed += isLast ? piece.length + 1 : piece.length;
  }
}
