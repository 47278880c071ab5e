import { useCallback, useEffect, useRef, useState } from "react";

/** Which tab edits the draft: not known yet, this tab, or another tab. */
export type Hold = "asking" | "mine" | "elsewhere";

const LOCK_NAMES = "creative-packs.draft.";

/** Whether any tab of this browser edits a draft. False if Web Locks are not available. */
export async function isDraftOpen(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name?.startsWith(LOCK_NAMES));
}

/** Interval at which to check whether another tab holds the lock. A free lock is granted much sooner. */
const LOOK_AGAIN_MS = 500;

/**
 * One tab edits a draft at a time, so that no tab overwrites another's changes or orders twice. A tab that finds the
 * lock taken waits until it is free, or takes it over when the user asks.
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
    // Fails if Web Locks are not available; then `ask` has already given the draft to this tab.
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
        // This request was replaced by a new one, or the page was left.
        if (isOver || signal.aborted) return;
        const isTakenOver = error instanceof DOMException && error.name === "AbortError";
        // Any other error: Web Locks are not available, so other tabs cannot be detected.
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
