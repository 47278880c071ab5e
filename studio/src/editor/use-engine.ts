import type { SlotId } from "creative-packs-service/slots";
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { createEngine } from "#engine/engine.ts";
import type { Engine, EngineState, PictureFacts, Tile } from "#engine/types.ts";

/** An engine that lives as long as the component; null while it is off and until it is started. */
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

/** Browsers without requestIdleCallback have drawn the page by then. */
const IDLE_AFTER_MS = 300;

/** Calls back once the page has nothing else to do; returns what ends the waiting. */
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

/** The engine of the open editor; null while it is being started, and where the service draws. */
const EngineContext = createContext<Engine | null>(null);
export const EngineProvider = EngineContext.Provider;

export const useOpenEngine = (): Engine | null => useContext(EngineContext);

/** A part of the engine's state. `select` returns the same until that part changes, so that a tile that is drawn renders no other. */
export function useEngineState<T>(select: (state: EngineState) => T): T {
  const engine = useOpenEngine();
  return useSyncExternalStore(engine?.subscribe ?? never, () => select(engine?.state() ?? EMPTY));
}

/** A size of the grid; null of no size, and until the engine has it. */
export const useTile = (sizeId: string | null): Tile | null =>
  useEngineState(({ tiles }) => tiles.find((tile) => tile.sizeId === sizeId) ?? null);

/** What the engine found in the picture of a slot; null until it has decoded it. */
export const usePictureFacts = (slot: SlotId): PictureFacts | null =>
  useEngineState(({ pictures }) => pictures[slot] ?? null);

/** The files that the engine cannot draw. */
export const useFaultyFiles = (): EngineState["faultyFiles"] =>
  useEngineState(({ faultyFiles }) => faultyFiles);
