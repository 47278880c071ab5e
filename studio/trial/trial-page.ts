import { sha256Hex } from "creative-packs/internal";
import type { MimeType, SlotId } from "creative-packs-service/slots";
import { createEngine, type EngineOptions } from "#engine/engine.ts";
import type { DrawInputs, Drawing, Engine, EngineState, SlotFile } from "#engine/types.ts";

/** A page with only the engine: tests and the benchmark call it through `trial`, with JSON values. */

/** Inputs of the engine, with the URLs of files. */
export interface TrialInputs extends Omit<DrawInputs, "assets"> {
  readonly assets: Readonly<Partial<Record<SlotId, { readonly url: string; readonly mimeType: MimeType }>>>;
}

/** A drawing with the SHA-256 of its pixels. */
export interface DrawnPixels extends Omit<Drawing, "picture"> {
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
}

let engine: Engine | null = null;
const files = new Map<string, Promise<Blob>>();

const opened = (): Engine => {
  engine ??= createEngine();
  return engine;
};

const blobOf = (url: string): Promise<Blob> => {
  const known = files.get(url) ?? fetch(url).then((response) => response.blob());
  files.set(url, known);
  return known;
};

async function inputsOf(inputs: TrialInputs): Promise<DrawInputs> {
  const assets: { [slot in SlotId]?: SlotFile } = {};
  for (const [slot, { url, mimeType }] of Object.entries(inputs.assets)) {
    Object.assign(assets, { [slot]: { id: url, mimeType, file: await blobOf(url) } });
  }
  return { ...inputs, assets };
}

async function pixelsOf({ picture, ...rest }: Drawing): Promise<DrawnPixels> {
  const sha256 = await sha256Hex(new Uint8Array(picture.data));
  return { width: picture.width, height: picture.height, sha256, ...rest };
}

/** Resolves to the state as soon as `holds` returns true for it. */
const stateWhere = (holds: (state: EngineState) => boolean): Promise<EngineState> =>
  new Promise((resolve) => {
    const look = (): boolean => {
      const state = opened().state();
      if (!holds(state)) return false;
      resolve(state);
      return true;
    };
    if (look()) return;
    const end = opened().subscribe(() => {
      if (look()) end();
    });
  });

const isSettled = ({ status }: EngineState): boolean =>
  status === "drawn" || status === "failed" || status === "empty";

const trial = {
  open: (options: Partial<EngineOptions>) => {
    engine?.close();
    engine = createEngine(options);
  },
  close: () => engine?.close(),
  retry: () => opened().retry(),
  /** Shows inputs, and resolves with all tiles once none is in progress. */
  draw: async (inputs: TrialInputs) => {
    opened().show(await inputsOf(inputs));
    const { status, fault, tiles, pictures, faultyFiles } = await stateWhere(isSettled);
    return {
      status,
      fault,
      pictures,
      faultyFiles,
      tiles: await Promise.all(
        tiles.map(async (tile) => ({
          sizeId: tile.sizeId,
          fault: tile.fault,
          drawn: tile.drawing === null ? null : await pixelsOf(tile.drawing),
        })),
      ),
    };
  },
  /** Milliseconds from new inputs to the first changed tile, and to the last. */
  time: async (inputs: TrialInputs) => {
    const given = await inputsOf(inputs);
    const shown = new Map(
      opened()
        .state()
        .tiles.map(({ sizeId, drawing }) => [sizeId, drawing]),
    );
    const startedMs = performance.now();
    opened().show(given);
    await stateWhere(
      ({ status, tiles }) =>
        status === "failed" ||
        tiles.some(({ sizeId, drawing }) => drawing !== null && drawing !== shown.get(sizeId)),
    );
    const firstMs = performance.now() - startedMs;
    const { status } = await stateWhere(isSettled);
    return { status, firstMs, allMs: performance.now() - startedMs };
  },
  /** Shows several inputs without waiting in between, and resolves when the last is drawn. */
  burst: async (several: readonly TrialInputs[]) => {
    const given = await Promise.all(several.map(inputsOf));
    for (const inputs of given) opened().show(inputs);
    const { tiles } = await stateWhere(isSettled);
    return Promise.all(tiles.map(({ drawing }) => (drawing === null ? null : pixelsOf(drawing))));
  },
  zoom: async (sizeId: string, widthPx: number) => {
    const zoomed = await opened().zoom(sizeId, widthPx);
    return zoomed.ok ? { ok: true, value: await pixelsOf(zoomed.value) } : zoomed;
  },
  /** Draws a frame and returns the SHA-256 of its pixels. */
  frame: async (sizeId: string, widthPx: number, frame: number) => {
    const drawn = await opened().frame(sizeId, widthPx, frame);
    return drawn.ok ? sha256Hex(new Uint8Array(drawn.value.data)) : drawn.fault.code;
  },
  /** Runs the engine once in each worker, and resolves when done. */
  warmUp: () =>
    new Promise<void>((resolve) => {
      new PerformanceObserver((_, observer) => {
        observer.disconnect();
        resolve();
      }).observe({ entryTypes: ["mark"] });
      opened().warmUp();
    }),
  /** Announces a file before it is shown. */
  expect: async (slot: SlotId, { url, mimeType }: TrialInputs["assets"][SlotId] & object) =>
    opened().expect(slot, { id: url, mimeType, file: await blobOf(url) }),
  measure: (sizeId: string) => opened().measure(sizeId),
  examine: async (url: string, mimeType: MimeType) =>
    opened().examine({ id: url, mimeType, file: await blobOf(url) }),
};

Object.assign(window, { trial });
