import { useEffect, useState, useSyncExternalStore } from "react";
import type { Wall, WallState } from "../drawing/types.ts";
import { createWall } from "../drawing/wall.ts";

/** A wall that lives as long as the component; null while it is off and until its workers are being started. */
export function useWall(isOn: boolean): Wall | null {
  const [wall, setWall] = useState<Wall | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const made = createWall();
    setWall(made);
    return () => {
      setWall(null);
      made.close();
    };
  }, [isOn]);
  return wall;
}

const EMPTY: WallState = { status: "empty", fault: null, tiles: [], pictures: {} };
const never = (): (() => void) => () => {};

/** What a wall is doing. */
export const useWallState = (wall: Wall | null): WallState =>
  useSyncExternalStore(wall?.subscribe ?? never, () => wall?.state() ?? EMPTY);
