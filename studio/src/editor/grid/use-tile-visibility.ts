import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The width that tiles may take, and which of them are in sight. */
export interface TileVisibility {
  /** Width of the grid's column in CSS px; 0 until it is known. */
  readonly columnPx: number;
  readonly pixelRatio: number;
  /** Ids of the sizes in sight. */
  readonly inSight: ReadonlySet<string>;
  /** For the element of each tile. */
  readonly watch: (sizeId: string) => (element: HTMLElement | null) => void;
}

/** Tiles this far below the window count as in sight, so that they are drawn before a scroll reaches them. */
const MARGIN = "300px";

/** Watches a grid's column and its tiles. */
export function useTileVisibility(column: RefObject<HTMLElement | null>): TileVisibility {
  const [columnPx, setColumnPx] = useState(0);
  const [inSight, setInSight] = useState<ReadonlySet<string>>(new Set());
  const observer = useRef<IntersectionObserver | null>(null);
  const elements = useRef(new Map<string, HTMLElement>());
  const callbacks = useRef(new Map<string, (element: HTMLElement | null) => void>());

  useEffect(() => {
    if (column.current === null) return;
    const resize = new ResizeObserver(([entry]) => setColumnPx(Math.floor(entry?.contentRect.width ?? 0)));
    resize.observe(column.current);
    return () => resize.disconnect();
  }, [column]);

  useEffect(() => {
    const watching = new IntersectionObserver(
      (entries) =>
        setInSight((seen) => {
          const next = new Set(seen);
          for (const { target, isIntersecting } of entries) {
            const sizeId = target instanceof HTMLElement ? target.dataset.sizeId : undefined;
            if (sizeId === undefined) continue;
            if (isIntersecting) next.add(sizeId);
            else next.delete(sizeId);
          }
          return next.size === seen.size && [...next].every((sizeId) => seen.has(sizeId)) ? seen : next;
        }),
      { rootMargin: MARGIN },
    );
    observer.current = watching;
    for (const element of elements.current.values()) watching.observe(element);
    return () => watching.disconnect();
  }, []);

  const watch = useCallback((sizeId: string) => {
    const known = callbacks.current.get(sizeId);
    if (known !== undefined) return known;
    const callback = (element: HTMLElement | null): void => {
      const before = elements.current.get(sizeId);
      if (before !== undefined) observer.current?.unobserve(before);
      if (element === null) elements.current.delete(sizeId);
      else {
        elements.current.set(sizeId, element);
        observer.current?.observe(element);
      }
    };
    callbacks.current.set(sizeId, callback);
    return callback;
  }, []);

  return { columnPx, pixelRatio: window.devicePixelRatio || 1, inSight, watch };
}
