import { useCallback, useEffect, useRef, useState } from "react";

/** Who edits a workspace's draft: this tab, another one, or not known yet. */
export type Hold = "asking" | "mine" | "elsewhere";

const LOCK_NAMES = "creative-packs.draft.";

/** Whether a tab of this browser edits a draft. False where the browser has no locks for this page. */
export async function isDraftOpen(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name?.startsWith(LOCK_NAMES));
}

/** A tab that has the lock to itself mostly has it much sooner; it looks again whether another has. */
const LOOK_AGAIN_MS = 500;

/**
 * One tab at a time edits a workspace's draft, so that no tab writes over another's and none orders what another has
 * ordered. A tab that finds it taken waits until it is free, or takes it over when the person says so.
 */
export function useDraftLock(draftId: string): { readonly hold: Hold; readonly take: () => void } {
  const [hold, setHold] = useState<Hold>("asking");
  const request = useRef<(mode: "wait" | "steal") => void>(() => {});

  useEffect(() => {
    let endHold = (): void => {};
    let waiting = new AbortController();
    let isOver = false;
    const name = `${LOCK_NAMES}${draftId}`;

    const settle = (now: Exclude<Hold, "asking">): void => {
      clearInterval(looking);
      setHold(now);
    };
    const look = async (): Promise<void> => {
      const { held = [] } = await navigator.locks.query();
      if (isOver || !held.some((lock) => lock.name === name)) return;
      clearInterval(looking);
      setHold((now) => (now === "asking" ? "elsewhere" : now));
    };
    // A browser that has no locks for this page has given the draft to it by then.
    const looking = setInterval(() => void look().catch(() => {}), LOOK_AGAIN_MS);

    const ask = async (mode: "wait" | "steal"): Promise<void> => {
      waiting.abort();
      waiting = new AbortController();
      const { signal } = waiting;
      try {
        await navigator.locks.request(name, mode === "steal" ? { steal: true } : { signal }, () => {
          if (isOver) return;
          settle("mine");
          return new Promise<void>((resolve) => {
            endHold = resolve;
          });
        });
      } catch (error) {
        // This tab asks anew, or has left.
        if (isOver || signal.aborted) return;
        const isTakenOver = error instanceof DOMException && error.name === "AbortError";
        // A browser that has no locks for this page cannot tell of other tabs.
        settle(isTakenOver ? "elsewhere" : "mine");
        if (isTakenOver) void ask("wait");
      }
    };

    request.current = (mode) => void ask(mode);
    void ask("wait");
    return () => {
      isOver = true;
      clearInterval(looking);
      waiting.abort();
      endHold();
    };
  }, [draftId]);

  return { hold, take: useCallback(() => request.current("steal"), []) };
}
