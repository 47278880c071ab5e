import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

/**
 * Visible size of a scrolling element in CSS px; 0 × 0 while hidden. Scrollbars must not change this size, because the
 * content that is drawn for it decides whether they appear. So the element has `scrollbar-gutter: stable`, and the
 * height includes a scrollbar.
 */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Scroll position, rounded down to whole steps, so that most scroll events do not render. */
  readonly top: number;
}

const STEP_PX = 160;

/** Observes an element's size and scroll position; null before the first measurement. */
export function useRoom(element: RefObject<HTMLElement | null>): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  const look = useCallback((): void => {
    if (element.current === null) return;
    const { clientWidth: width, offsetHeight: height, scrollTop } = element.current;
    const top = Math.floor(scrollTop / STEP_PX) * STEP_PX;
    setRoom((last) =>
      last?.width === width && last.height === height && last.top === top ? last : { width, height, top },
    );
  }, [element]);
  // Measure after each render, because it may have shown the element. The observer would fire a frame later.
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const resize = new ResizeObserver(look);
    resize.observe(current);
    current.addEventListener("scroll", look, { passive: true });
    return () => {
      resize.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, [element, look]);
  return room;
}
