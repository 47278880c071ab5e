import type { SlotId } from "creative-packs-service/slots";
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { createEngine } from "#engine/engine.ts";
import type { Engine, EngineState, PictureFacts, Tile } from "#engine/types.ts";

/** An engine for the component's lifetime; null while off or starting. */
export function useEngine(isOn: boolean): Engine | null {
  const [engine, setEngine] = useState<Engine | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const started = createEngine();
    setEngine(started);
    const endWaiting = whenIdle(() => started.warmUp());
    return () => {
      endWaiting();
      setEngine(null);
      started.close();
    };
  }, [isOn]);
  return engine;
}

/** Delay in browsers without requestIdleCallback. By then the page has been drawn. */
const IDLE_AFTER_MS = 300;

/** Calls back once the page is idle. Returns a function that cancels the callback. */
function whenIdle(callback: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const handle = requestIdleCallback(callback);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(callback, IDLE_AFTER_MS);
  return () => clearTimeout(timer);
}

const EMPTY: EngineState = { status: "empty", fault: null, tiles: [], pictures: {}, faultyFiles: {} };
const never = (): (() => void) => () => {};

/** The open editor's engine; null while it starts, and with server previews. */
const EngineContext = createContext<Engine | null>(null);
export const EngineProvider = EngineContext.Provider;

export const useOpenEngine = (): Engine | null => useContext(EngineContext);

/**
 * Selects a part of the engine's state. `select` must return the same object until that part changes, so that a new
 * drawing renders only its own tile.
 */
export function useEngineState<T>(select: (state: EngineState) => T): T {
  const engine = useOpenEngine();
  return useSyncExternalStore(engine?.subscribe ?? never, () => select(engine?.state() ?? EMPTY));
}

/** The tile of a size; null for no size, and until the engine has the tile. */
export const useTile = (sizeId: string | null): Tile | null =>
  useEngineState(({ tiles }) => tiles.find((tile) => tile.sizeId === sizeId) ?? null);

/** The engine's findings about a slot's picture; null until the picture is decoded. */
export const usePictureFacts = (slot: SlotId): PictureFacts | null =>
  useEngineState(({ pictures }) => pictures[slot] ?? null);

/** The files that the engine cannot draw. */
export const useFaultyFiles = (): EngineState["faultyFiles"] =>
  useEngineState(({ faultyFiles }) => faultyFiles);
