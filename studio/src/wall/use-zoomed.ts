import { useEffect, useState } from "react";
import type { Drawing, Wall, WallFault } from "#drawing/types.ts";

/** A size drawn for a larger place, anew whenever its tile is. The last drawing stays until then. */
export function useZoomed(
  wall: Wall,
  sizeId: string,
  widthPx: number,
  tileDrawing: Drawing | null,
): { readonly drawing: Drawing | null; readonly fault: WallFault | null } {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [fault, setFault] = useState<WallFault | null>(null);
  // A redrawn tile is what tells that the inputs changed.
  useEffect(() => {
    const stop = new AbortController();
    void wall.zoom(sizeId, widthPx, stop.signal).then((zoomed) => {
      if (stop.signal.aborted) return;
      if (zoomed.ok) setDrawing(zoomed.value);
      setFault(zoomed.ok ? null : zoomed.fault);
    });
    return () => stop.abort();
  }, [wall, sizeId, widthPx, tileDrawing]);
  return { drawing: drawing ?? tileDrawing, fault };
}
