import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

/**
 * What a scrolling element shows, in CSS px; 0 × 0 while it is hidden. Both are the same with and without scrollbars, which
 * come and go with what is drawn for the room: the element has `scrollbar-gutter: stable`, and its height is the outer one.
 */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** How far it is scrolled, in whole steps, so that few scrolls render anything. */
  readonly top: number;
}

const STEP_PX = 160;

/** Watches an element's size and scroll position; null before the first look. */
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
  // A change that shows what was hidden: the observer comes a frame later.
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
