import { LOOK_IDS } from "creative-packs-service/looks";
import type { SlotId } from "creative-packs-service/slots";
import {
  createTileBoard,
  hasPicture,
  outputKeyOf,
  outputOf,
  packOf,
  picturesKeyOf,
  planTiles,
  type TilePlan,
} from "./choose-next-tile.ts";
import { createEngineFiles } from "./engine-files.ts";
import { CANCELED, faultOf } from "./faults.ts";
import { createFrameCache } from "./frame-cache.ts";
import type { Answer, DrawTask, FromWorker, PackSpec, Pixels } from "./protocol.ts";
import { createStopwatch } from "./stopwatch.ts";
import type { DrawInputs, Drawing, Engine, EngineFault, EngineResult, EngineState } from "./types.ts";
import { paintWarmUpPhoto } from "./warm-up-photo.ts";
import { createWorkerPool } from "./worker-pool.ts";

export interface EngineOptions {
  /** Base URL of the font library. */
  readonly fontsUrl: string;
  /** A worker that sends no message for this long counts as hung. */
  readonly silenceMsMax: number;
}

/** Path at which the worker serves the font library (`scripts/make/assets.ts`). */
const FONTS_URL = "/fonts";
/** Default of `silenceMsMax`. The slowest accepted picture takes about 10 s to decode on a phone. */
const SILENCE_MS_MAX = 45_000;

/** If this many consecutive tiles break the engine, all remaining tiles fail. */
const BREAKDOWNS_MAX = 2;

const isBreakdown = ({ code }: EngineFault): boolean =>
  code === "ENGINE_CRASHED" || code === "ENGINE_STALLED";

/** Starts the engine: the service's renderer in Web Workers. */
export function createEngine(options: Partial<EngineOptions> = {}): Engine {
  const { fontsUrl = FONTS_URL, silenceMsMax = SILENCE_MS_MAX } = options;
  const listeners = new Set<() => void>();
  const board = createTileBoard();
  const watch = createStopwatch();
  const files = createEngineFiles();
  const frames = createFrameCache();
  let inputs: DrawInputs | null = null;
  /**
   * Findings of the workers, by file ids, because a slow worker may report an earlier pack after another worker has
   * reported a later one.
   */
  const found = new Map<string, FoundInFiles>();
  let breakdowns = 0;
  let isClosed = false;
  let state: EngineState = { status: "empty", fault: null, tiles: [], ...NOTHING_FOUND };

  const publish = (): void => {
    state = stateOf();
    for (const listener of listeners) listener();
  };
  const settle = (plan: TilePlan, answer: Answer): void => {
    if (isClosed) return;
    const result = drawingOf(answer);
    breakdowns = result.ok ? 0 : isBreakdown(result.fault) ? breakdowns + 1 : breakdowns;
    const isWanted = board.settle(plan, result.ok ? result.value : result.fault);
    if (isWanted && !result.ok && (breakdowns >= BREAKDOWNS_MAX || isShared(result.fault)))
      board.failAll(result.fault);
    publish();
    if (isWanted && result.ok) watch.lap();
    if (board.isDone()) watch.stop();
  };

  const pool = createWorkerPool<TilePlan>(
    files,
    { fontsUrl: new URL(fontsUrl, location.href).href, silenceMsMax },
    {
      onPictures: ({ assetIds, pictures, faultyFiles }) => {
        const ids = idsText(assetIds);
        found.delete(ids);
        found.set(ids, { pictures, faultyFiles });
        const [oldest = ids] = found.keys();
        if (found.size > FOUND_MAX) found.delete(oldest);
        publish();
      },
      onWarm: watch.markWarm,
      nextTask: () => (inputs === null || !hasPicture(inputs) ? null : board.next()),
      onAnswer: settle,
    },
  );

  const stateOf = (): EngineState => {
    const tiles = board.tiles();
    if (inputs === null || !hasPicture(inputs) || tiles.length === 0) {
      return { status: "empty", fault: null, tiles, ...NOTHING_FOUND };
    }
    const known = found.get(idsText(idsOf(inputs))) ?? NOTHING_FOUND;
    const fault = tiles.find((tile) => tile.fault !== null)?.fault ?? null;
    const shared = fault !== null && tiles.every((tile) => tile.fault !== null) ? fault : null;
    if (shared !== null) return { status: "failed", fault: shared, tiles, ...known };
    const isLoading = tiles.every(({ drawing }) => drawing === null);
    const status = board.isDone() ? "drawn" : isLoading ? "loading" : "drawing";
    return { status, fault: null, tiles, ...known };
  };

  const retry = (): void => {
    breakdowns = 0;
    // The engine's files may be the cause, so load them again.
    if (board.tiles().some(({ fault }) => fault?.code === "ENGINE_CRASHED")) files.forget();
    board.clearRetryableFaults();
    publish();
    pool.wake();
  };
  window.addEventListener("online", retry);

  /** One output of the latest inputs; null if there are none. */
  const outputNow = (sizeId: string, widthPx: number): Pick<DrawTask, "pack" | "output"> | null =>
    inputs === null || !hasPicture(inputs)
      ? null
      : { pack: packOf(inputs), output: outputOf(inputs, sizeId, widthPx) };
  /** Draws a size of the latest inputs, or renders its paid files, ahead of all tiles. */
  const ask = async (
    kind: DrawTask["kind"],
    sizeId: string,
    widthPx: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const now = outputNow(sizeId, widthPx);
    return now === null ? NOTHING_TO_DRAW : pool.urgent({ kind, ...now }, { signal });
  };

  pool.start();
  return {
    show: (next) => {
      inputs = next;
      breakdowns = 0;
      board.plan(hasPicture(next) ? planTiles(next) : []);
      const isDone = board.isDone();
      if (!isDone) watch.start();
      publish();
      if (!isDone) pool.wake();
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry,
    zoom: async (sizeId, widthPx, signal) => drawingOf(await ask("draw", sizeId, widthPx, signal)),
    frame: async (sizeId, widthPx, frame, signal) => {
      const now = outputNow(sizeId, widthPx);
      if (now === null) return failed(NOTHING_TO_DRAW);
      const task = { kind: "frame", pack: now.pack, output: playable(now.output), frame } as const;
      const key = `${frame} ${outputKeyOf(task)}`;
      const known = frames.get(key);
      if (known !== null) return { ok: true, value: known };
      const answer = await pool.urgent(task, { signal });
      if (answer.kind !== "frame") return failed(answer);
      const value = imageOf(answer.pixels);
      frames.keep(key, value);
      return { ok: true, value };
    },
    thumbnail: async (design, widthPx, signal) => {
      if (inputs === null || !hasPicture(inputs)) return failed(NOTHING_TO_DRAW);
      const shown: DrawInputs = { ...inputs, ...design, ...THUMBNAIL };
      const output = outputOf(shown, THUMBNAIL_SIZE_ID, widthPx);
      return drawingOf(await pool.urgent({ kind: "draw", pack: packOf(shown), output }, { signal }));
    },
    measure: async (sizeId, signal) => {
      const answer = await ask("measure", sizeId, 1, signal);
      return answer.kind === "measure" ? { ok: true, value: answer.files } : failed(answer);
    },
    warmUp: () => {
      void paintWarmUpPhoto().then((photo) => {
        if (photo !== null) pool.warmUp({ kind: "warmUp", photo });
      });
    },
    expect: (slot, asset) => {
      const { assets = {}, brand = {}, look = LOOK_IDS[0], buttonStyle } = inputs ?? {};
      const pack: PackSpec = { assets: { ...assets, [slot]: asset }, brand, look, buttonStyle };
      const picturesKey = picturesKeyOf(pack);
      board.beginOpening(picturesKey);
      // If the pack cannot be opened, its tiles will report the fault.
      void pool.urgent({ kind: "open", pack }, {}).then(() => {
        board.endOpening(picturesKey);
        pool.wake();
      });
    },
    examine: async (asset) => {
      const answer = await pool.urgent({ kind: "examine", asset }, {});
      return answer.kind === "examine" ? { ok: true, value: answer.facts } : failed(answer);
    },
    reduce: async (asset) => {
      const answer = await pool.urgent({ kind: "reduce", asset }, {});
      return answer.kind === "reduce" ? { ok: true, value: answer.file } : failed(answer);
    },
    close: () => {
      isClosed = true;
      window.removeEventListener("online", retry);
      listeners.clear();
      pool.close();
    },
  };
}

/** Findings of the workers about a pack's files. */
type FoundInFiles = Pick<EngineState, "pictures" | "faultyFiles">;
const NOTHING_FOUND: FoundInFiles = { pictures: {}, faultyFiles: {} };
/** Maximum number of packs whose findings are kept. */
const FOUND_MAX = 8;

/** Faults that affect every size: files that cannot be loaded or read. */
const isShared = (fault: EngineFault): boolean =>
  fault.code !== "HEADLINE_DOES_NOT_FIT" && fault.code !== "FONTS_UNREACHABLE" && !isBreakdown(fault);

/** A static pack is played as if it were animated. */
const playable = <T extends { readonly motion: string; readonly format: string }>(output: T): T =>
  output.motion === "animated" ? output : { ...output, motion: "animated", format: "gif" };

/** Inputs of thumbnails: a still by the newest contract, without overrides. */
const THUMBNAIL = { overrides: {}, contractId: undefined, motion: "static", outputFormat: "jpg" } as const;
const THUMBNAIL_SIZE_ID = "meta-feed-1080x1080";

const NOTHING_TO_DRAW: Answer = {
  kind: "fault",
  fault: faultOf("NO_VISUAL_ASSET", "There is no picture to draw yet."),
};

const imageOf = ({ width, height, buffer }: Pixels): ImageData =>
  new ImageData(new Uint8ClampedArray(buffer), width, height);

function drawingOf(answer: Answer): EngineResult<Drawing> {
  if (answer.kind !== "draw") return failed(answer);
  const { pixels, layout, compliance, play } = answer;
  return { ok: true, value: { picture: imageOf(pixels), layout, compliance, play } };
}

const failed = (answer: Answer): { readonly ok: false; readonly fault: EngineFault } => ({
  ok: false,
  fault: answer.kind === "fault" ? answer.fault : CANCELED,
});

const idsOf = ({ assets }: DrawInputs): Partial<Record<SlotId, string>> =>
  Object.fromEntries(
    Object.entries(assets).flatMap(([slot, asset]) => (asset === undefined ? [] : [[slot, asset.id]])),
  );

const idsText = (ids: (FromWorker & { type: "pictures" })["assetIds"]): string =>
  JSON.stringify(Object.entries(ids).sort());
