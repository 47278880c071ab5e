import type { SlotId } from "creative-packs-service/slots";
import { createContext, useContext } from "react";
import type { PictureFacts, Wall } from "#drawing/types.ts";
import { useWallState } from "#wall/use-wall.ts";

/** The engine of the open editor; null while it is being started, and where the service draws. */
const WallContext = createContext<Wall | null>(null);
export const WallProvider = WallContext.Provider;

/** What the engine found in the picture of a slot; null while it has not looked at it. */
export const usePictureFacts = (slot: SlotId): PictureFacts | null =>
  useWallState(useContext(WallContext)).pictures[slot] ?? null;
