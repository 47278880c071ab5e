import { mayPass } from "./faults.ts";
import type { DrawTask, OutputSpec, PackSpec } from "./protocol.ts";
import type { DrawInputs, Drawing, DrawSize, EngineFault, Tile } from "./types.ts";

/** A task that draws a tile; equal keys give equal pixels. */
export interface TilePlan extends DrawTask {
  readonly size: DrawSize;
  readonly key: string;
  /** Identifies the source pictures. */
  readonly picturesKey: string;
}

/** Whether there is anything to draw: a font alone shows nothing. */
export const hasPicture = ({ assets }: Pick<DrawInputs, "assets">): boolean =>
  Object.entries(assets).some(([name, asset]) => !isFont(name) && asset !== undefined);

const isFont = (name: string): boolean => name === "font" || name === "textFont";

export const packOf = ({ assets, brand, look, buttonStyle }: DrawInputs): PackSpec => ({
  ...{ assets, brand, look, buttonStyle },
});

/** The plan of each size, in input order. */
export function planTiles(inputs: DrawInputs): readonly TilePlan[] {
  const pack = packOf(inputs);
  const picturesKey = picturesKeyOf(pack);
  return inputs.sizes.map((size) => {
    const output = outputOf(inputs, size.sizeId, size.widthPx);
    return { kind: "draw", pack, output, size, key: outputKeyOf({ pack, output }), picturesKey };
  });
}

/** Identifies an output of a pack; equal keys give equal pixels. */
export const outputKeyOf = ({ pack, output }: Pick<DrawTask, "pack" | "output">): string =>
  JSON.stringify([picturesKeyOf(pack), pack.brand, pack.look, pack.buttonStyle, output]);

/** One output of the inputs, overrides applied as in an order (`src/domains/jobs/plan-design.ts`). */
export function outputOf(inputs: DrawInputs, sizeId: string, widthPx: number): OutputSpec {
  const { motion, outputFormat: format, protection, markSeed } = inputs;
  const own = inputs.overrides[sizeId] ?? {};
  const texts = Object.entries({ ...inputs.copy, ...present(own.copy) });
  return {
    sizeId,
    copy: Object.fromEntries(texts.filter(([, text]) => text !== undefined && text !== "")),
    placements: { ...inputs.placements, ...present(own.placements) },
    variant: own.variant ?? inputs.variant,
    composition: own.composition ?? inputs.composition,
    scale: own.scale,
    contractId: inputs.contractId,
    motion,
    format,
    // At least one pixel, because a place can be narrower before it is laid out.
    widthPx: Math.max(1, Math.round(widthPx)),
    protection,
    markSeed,
  };
}

/** Removes undefined members, which would override other members when spread. */
function present<T extends object>(members: T | undefined): T | Record<string, never> {
  if (members === undefined) return {};
  const kept = { ...members };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}

/** Identifies the pictures and font of a pack. */
export function picturesKeyOf({ assets }: PackSpec): string {
  const ids = Object.entries(assets).flatMap(([slot, asset]) =>
    asset === undefined ? [] : [[slot, asset.id]],
  );
  return JSON.stringify(ids.sort());
}

/** Decides which tiles to draw, and in which order. Independent of the workers. */
export interface TileBoard {
  /** Replaces the plans of a grid; keeps drawings of sizes that stay. */
  readonly plan: (plans: readonly TilePlan[]) => void;
  /**
   * Returns the next tile to draw and marks it as in progress; null if there is none. Also null while the first tile of
   * new pictures is in progress: if two workers decoded the same picture, both would be slower and delay that tile.
   */
  readonly next: () => TilePlan | null;
  /** Call when a worker starts to open these pictures in advance. Their first tile then waits until `endOpening`. */
  readonly beginOpening: (picturesKey: string) => void;
  readonly endOpening: (picturesKey: string) => void;
  /** Ends a task from `next`. If its drawing is outdated, drops it and returns false. */
  readonly settle: (plan: TilePlan, result: Drawing | EngineFault) => boolean;
  /** Clears retryable faults, so that their tiles are drawn again. */
  readonly clearRetryableFaults: () => void;
  /** Sets this fault on every tile that is not drawn. */
  readonly failAll: (fault: EngineFault) => void;
  readonly isDone: () => boolean;
  readonly tiles: () => readonly Tile[];
}

interface Entry {
  plan: TilePlan;
  drawing: Drawing | null;
  drawnKey: string | null;
  fault: EngineFault | null;
  faultKey: string | null;
  /** Keys of the plans in progress, each with the key of its pictures. */
  readonly begun: Map<string, string>;
  /** Number of the change that made the drawing outdated. */
  staleSince: number;
  /** The published tile; null if it must be created again. */
  tile: Tile | null;
}

const isFault = (result: Drawing | EngineFault): result is EngineFault => "code" in result;

const isSettled = ({ plan: { key, size }, drawnKey, faultKey }: Entry): boolean =>
  key === drawnKey || key === faultKey || size.isParked === true;

/** The narrowest tile, visible if possible. It is drawn first, because it shows new pictures soonest. */
function narrowestOf(entries: readonly Entry[]): Entry {
  const rank = ({ plan: { size } }: Entry): number => size.widthPx + (size.isVisible ? 0 : 1e6);
  return entries.reduce((least, one) => (rank(one) < rank(least) ? one : least));
}

export function createTileBoard(): TileBoard {
  let entries: Entry[] = [];
  let changes = 0;
  /** Key of the pictures of the last tile that was drawn or failed. */
  let triedPictures: string | null = null;
  const opening = new Set<string>();

  const entryOf = (sizeId: string): Entry | undefined =>
    entries.find(({ plan }) => plan.size.sizeId === sizeId);

  return {
    plan: (plans) => {
      changes += 1;
      const known = new Map(entries.map((entry) => [entry.plan.size.sizeId, entry]));
      entries = plans.map((plan) => {
        const entry = known.get(plan.size.sizeId);
        if (entry === undefined) return newEntry(plan, changes);
        if (isSettled(entry)) entry.staleSince = changes;
        entry.plan = plan;
        return entry;
      });
    },
    next: () => {
      const waiting = entries.filter((entry) => !isSettled(entry) && !entry.begun.has(entry.plan.key));
      // Visible tiles come first, then those that have waited longest, so that fast typing starves no tile.
      waiting.sort(
        (one, other) =>
          Number(other.plan.size.isVisible) - Number(one.plan.size.isVisible) ||
          one.staleSince - other.staleSince,
      );
      const [oldest] = waiting;
      if (oldest === undefined) return null;
      const isNew = oldest.plan.picturesKey !== triedPictures;
      const first = isNew ? narrowestOf(waiting) : oldest;
      const { key, picturesKey } = first.plan;
      const isBeingOpened =
        opening.has(picturesKey) || entries.some(({ begun }) => [...begun.values()].includes(picturesKey));
      if (isBeingOpened && isNew) return null;
      first.begun.set(key, picturesKey);
      return first.plan;
    },
    beginOpening: (picturesKey) => void opening.add(picturesKey),
    endOpening: (picturesKey) => void opening.delete(picturesKey),
    settle: (plan, result) => {
      const entry = entryOf(plan.size.sizeId);
      entry?.begun.delete(plan.key);
      triedPictures = plan.picturesKey;
      if (entry === undefined || entry.plan.key !== plan.key) return false;
      if (isFault(result)) {
        entry.fault = result;
        entry.faultKey = plan.key;
      } else {
        entry.drawing = result;
        entry.drawnKey = plan.key;
        entry.fault = null;
        entry.faultKey = null;
      }
      return true;
    },
    clearRetryableFaults: () => {
      for (const entry of entries) {
        if (entry.fault === null || !mayPass(entry.fault)) continue;
        entry.fault = null;
        entry.faultKey = null;
      }
    },
    failAll: (fault) => {
      for (const entry of entries) {
        if (isSettled(entry)) continue;
        entry.fault = fault;
        entry.faultKey = entry.plan.key;
      }
    },
    isDone: () => entries.every(isSettled),
    tiles: () => entries.map(tileOf),
  };
}

const newEntry = (plan: TilePlan, staleSince: number): Entry => ({
  plan,
  drawing: null,
  drawnKey: null,
  fault: null,
  faultKey: null,
  begun: new Map(),
  staleSince,
  tile: null,
});

/** Returns the same object until its content changes, so that unchanged tiles are not rendered again. */
function tileOf(entry: Entry): Tile {
  const { plan, drawing, faultKey } = entry;
  const fault = faultKey === plan.key ? entry.fault : null;
  const last = entry.tile;
  if (last !== null && last.drawing === drawing && last.fault === fault) return last;
  entry.tile = { sizeId: plan.size.sizeId, drawing, fault };
  return entry.tile;
}
