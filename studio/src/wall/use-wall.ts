import { useEffect, useState, useSyncExternalStore } from "react";
import type { Wall, WallState } from "#drawing/types.ts";
import { createWall } from "#drawing/wall.ts";

/** A wall that lives as long as the component; null while it is off and until its workers are being started. */
export function useWall(isOn: boolean): Wall | null {
  const [wall, setWall] = useState<Wall | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const made = createWall();
    setWall(made);
    const endWaiting = whenIdle(() => made.warmUp());
    return () => {
      endWaiting();
      setWall(null);
      made.close();
    };
  }, [isOn]);
  return wall;
}

/** Where a browser does not tell when it is idle, the page is drawn by then. */
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

const EMPTY: WallState = { status: "empty", fault: null, tiles: [], pictures: {} };
const never = (): (() => void) => () => {};

/** What a wall is doing. */
export const useWallState = (wall: Wall | null): WallState =>
  useSyncExternalStore(wall?.subscribe ?? never, () => wall?.state() ?? EMPTY);
