import type { CodecModules } from "../types.ts";
import { TYPE_LIMITS } from "./limits.ts";

/**
 * One instance of HarfBuzz and its memory. The interface to WASM: numbers in, numbers out.
 *
 * Each font file gets its own instance (256 KB, half a millisecond): a font that traps does not affect other fonts, and
 * closing a font frees all its memory.
 *
 * The module counts the instructions that it executes (`scripts/make/shaper.ts`) and traps when its budget is used up.
 * So no font costs more than its budget, and each costs the same on any machine.
 */

export type ShaperModules = Pick<CodecModules, "textShaper" | "outlinePen">;

/** The shaper failed, or a font exceeds a limit. The message completes "it breaks while setting text: …". */
export class ShaperFault extends Error {}

/** Receives a glyph's outline; coordinates in font units, y up. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadTo(controlX: number, controlY: number, x: number, y: number): void;
  cubicTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): void;
  close(): void;
}

type HarfBuzzFunction = (...numbers: number[]) => number;
const PAGE_BYTES = 65_536;
const TOO_MUCH_WORK = "its tables take too much work";

export class HarfBuzz {
  readonly #exports: Record<string, unknown>;
  readonly #memory: WebAssembly.Memory;
  readonly #fuel: WebAssembly.Global;
  readonly #drawFunctions: number;
  #pen: Pen | null = null;
  #isFaulty = false;

  /** `instructions`: the budget until {@link grant} is called. */
  constructor(modules: ShaperModules, instructions: number) {
    const instance = new WebAssembly.Instance(modules.textShaper, {
      env: {
        _abort_js: () => {
          throw new ShaperFault("the shaper aborted");
        },
        _emscripten_runtime_keepalive_clear: () => {},
        _setitimer_js: () => 0,
        emscripten_resize_heap: (bytes: number) => this.#grow(bytes >>> 0),
      },
      wasi_snapshot_preview1: {
        proc_exit: () => {
          throw new ShaperFault("the shaper exited");
        },
      },
    });
    this.#exports = instance.exports;
    this.#memory = instance.exports.memory as WebAssembly.Memory;
    this.#fuel = instance.exports.fuel as WebAssembly.Global;
    this.grant(instructions);
    this.call("__wasm_call_ctors");
    this.#drawFunctions = this.#connectPen(modules.outlinePen);
  }

  /** Calls an exported function. Throws {@link ShaperFault} on a trap, and on every call after it. */
  call(name: string, ...numbers: number[]): number {
    if (this.#isFaulty) throw new ShaperFault("the shaper stopped earlier");
    try {
      return (this.#exports[name] as HarfBuzzFunction)(...numbers);
    } catch (error) {
      this.#isFaulty = true;
      if (error instanceof ShaperFault) throw error;
      throw new ShaperFault(this.left < 0 ? TOO_MUCH_WORK : "the shaper trapped", { cause: error });
    }
  }

  /** Remaining instructions; below zero once they are used up. */
  get left(): number {
    return this.#fuel.value;
  }

  /** Grants an instruction budget; the rest of an earlier grant expires. */
  grant(instructions: number): void {
    this.#fuel.value = instructions;
  }

  /** Charges work outside the shaper to the font's budget. Throws {@link ShaperFault} when it is used up. */
  spend(instructions: number): void {
    this.#fuel.value = Math.max(-1, this.left - instructions);
    if (this.left >= 0) return;
    this.#isFaulty = true;
    throw new ShaperFault(TOO_MUCH_WORK);
  }

  /** Reserves zeroed bytes. */
  allocate(bytes: number): number {
    const pointer = this.call("malloc", Math.max(1, bytes));
    if (pointer === 0) throw new ShaperFault("the shaper is out of memory");
    new Uint8Array(this.#memory.buffer, pointer, bytes).fill(0);
    return pointer;
  }

  free(pointer: number): void {
    this.call("free", pointer);
  }

  write(pointer: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer, pointer, bytes.length).set(bytes);
  }

  /** A view that is valid until the next call. */
  view(pointer: number, bytes: number): DataView {
    return new DataView(this.#memory.buffer, pointer, bytes);
  }

  /** Sends a glyph's outline to the pen. */
  drawGlyph(font: number, glyph: number, pen: Pen): void {
    this.#pen = pen;
    this.call("hb_font_draw_glyph", font, glyph, this.#drawFunctions, 0);
    this.#pen = null;
  }

  #grow(bytes: number): number {
    if (bytes > TYPE_LIMITS.shaperBytesMax) return 0;
    const pages = Math.ceil((bytes - this.#memory.buffer.byteLength) / PAGE_BYTES);
    try {
      this.#memory.grow(Math.max(1, pages));
      return 1;
    } catch {
      return 0;
    }
  }

  #connectPen(module: WebAssembly.Module): number {
    const typed = new WebAssembly.Instance(module, {
      pen: {
        move: (_f: number, _d: number, _s: number, x: number, y: number) => this.#pen?.moveTo(x, y),
        line: (_f: number, _d: number, _s: number, x: number, y: number) => this.#pen?.lineTo(x, y),
        quad: (_f: number, _d: number, _s: number, cx: number, cy: number, x: number, y: number) =>
          this.#pen?.quadTo(cx, cy, x, y),
        cubic: (
          _f: number,
          _d: number,
          _s: number,
          ax: number,
          ay: number,
          bx: number,
          by: number,
          x: number,
          y: number,
        ) => this.#pen?.cubicTo(ax, ay, bx, by, x, y),
        close: () => this.#pen?.close(),
      },
    }).exports;
    const table = this.#exports.__indirect_function_table as WebAssembly.Table;
    const functions = this.call("hb_draw_funcs_create");
    const verbs = [
      ["move", "move_to"],
      ["line", "line_to"],
      ["quad", "quadratic_to"],
      ["cubic", "cubic_to"],
      ["close", "close_path"],
    ] as const;
    const first = table.grow(verbs.length);
    verbs.forEach(([verb, setter], i) => {
      table.set(first + i, typed[verb]);
      this.call(`hb_draw_funcs_set_${setter}_func`, functions, first + i, 0, 0);
    });
    return functions;
  }
}

/** A four-letter tag as HarfBuzz's number. */
export function tagOf(text: string): number {
  let tag = 0;
  for (let i = 0; i < 4; i += 1) tag = (tag << 8) | (text.charCodeAt(i) & 255);
  return tag >>> 0;
}
