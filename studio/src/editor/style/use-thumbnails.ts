import { type RefCallback, useCallback, useEffect, useState } from "react";
import type { ThumbnailDesign } from "#engine/types.ts";
import { useEngineState, useOpenEngine } from "../use-engine.ts";

/** Pictures of the open draft in other designs, by their ids; null while there is nothing to draw. */
export type Thumbnails = ReadonlyMap<string, ImageData> | null;

/** Width of a thumbnail in CSS px at most. */
const WIDTH_PX = 104;
/** No thumbnail is drawn while the person types. */
const REST_MS = 500;

/**
 * Draws designs one after the other while the element with the ref `area` is in sight and the grid is drawn. Pictures stay
 * until newer ones come.
 */
export function useThumbnails(designs: ReadonlyMap<string, ThumbnailDesign>) {
  const engine = useOpenEngine();
  const status = useEngineState(({ status: now }) => now);
  const [pictures, setPictures] = useState<ReadonlyMap<string, ImageData>>(new Map());
  const [isSeen, setIsSeen] = useState(false);
  const area: RefCallback<HTMLElement> = useCallback((element: HTMLElement) => {
    const watch = new IntersectionObserver(([entry]) => setIsSeen(entry?.isIntersecting === true));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (engine === null || status !== "drawn" || !isSeen) return;
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(async () => {
      for (const [id, design] of designs) {
        const drawn = await engine.thumbnail(design, WIDTH_PX * window.devicePixelRatio, signal);
        if (signal.aborted) return;
        // One that fails keeps its last picture; the grid says why.
        if (drawn.ok) setPictures((others) => new Map(others).set(id, drawn.value.picture));
      }
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [engine, status, designs, isSeen]);
  const thumbnails: Thumbnails = status === "empty" ? null : pictures;
  return { thumbnails, area };
}
