import { useSyncExternalStore } from "react";

/** From this width of the window on, the grid is beside the form. */
const WIDE = "(width >= 64rem)";

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** Whether form and grid are beside one another. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
