import { useCallback, useEffect, useRef, useState } from "react";

/** Who edits a workspace's draft: this tab, another one, or not known yet. */
export type Hold = "asking" | "mine" | "elsewhere";

/** A tab that has the lock to itself has it much sooner. */
const ASKING_MS_MAX = 500;

/**
 * One tab at a time edits a workspace's draft, so that no tab writes over another's and none orders what another has
 * ordered. A tab that finds it taken waits until it is free, or takes it over when the person says so.
 */
export function useDraftHold(draftId: string): { readonly hold: Hold; readonly take: () => void } {
  const [hold, setHold] = useState<Hold>("asking");
  const request = useRef<(mode: "wait" | "steal") => void>(() => {});

  useEffect(() => {
    let endHold = (): void => {};
    let waiting = new AbortController();
    let isOver = false;
    const name = `creative-packs.draft.${draftId}`;

    const ask = async (mode: "wait" | "steal"): Promise<void> => {
      waiting.abort();
      waiting = new AbortController();
      const { signal } = waiting;
      try {
        await navigator.locks.request(name, mode === "steal" ? { steal: true } : { signal }, () => {
          if (isOver) return;
          setHold("mine");
          return new Promise<void>((resolve) => {
            endHold = resolve;
          });
        });
      } catch (error) {
        // This tab asks anew, or has left.
        if (isOver || signal.aborted) return;
        const isTakenOver = error instanceof DOMException && error.name === "AbortError";
        // A browser that has no locks for this page cannot tell of other tabs.
        setHold(isTakenOver ? "elsewhere" : "mine");
        if (isTakenOver) void ask("wait");
      }
    };

    request.current = (mode) => void ask(mode);
    const timer = setTimeout(() => setHold((now) => (now === "asking" ? "elsewhere" : now)), ASKING_MS_MAX);
    void ask("wait");
    return () => {
      isOver = true;
      clearTimeout(timer);
      waiting.abort();
      endHold();
    };
  }, [draftId]);

  return { hold, take: useCallback(() => request.current("steal"), []) };
}
