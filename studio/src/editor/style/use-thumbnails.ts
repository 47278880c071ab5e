import { type RefCallback, useCallback, useEffect, useState } from "react";
import type { ThumbnailDesign } from "#engine/types.ts";
import { useEngineState, useOpenEngine } from "../use-engine.ts";

/** Thumbnails of the open draft by design id; null if there is nothing to draw. */
export type Thumbnails = ReadonlyMap<string, ImageData> | null;

/** Maximum width of a thumbnail in CSS px. */
const WIDTH_PX = 104;
/** Pause in changes before thumbnails are drawn. */
const REST_MS = 500;

/**
 * Draws designs one by one once the grid is drawn, while the element with the ref `area` is visible. Keeps each
 * thumbnail until its next version is ready.
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
        // A failed thumbnail keeps its last picture; the grid shows why.
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
