import type { EditorStore, KeptDraft } from "./editor-store.ts";
import { writeDraft } from "./kept-draft.ts";

const PAUSE_MS = 300;

export interface Keeper {
  /** Writes what is not written yet. Rejects where the browser keeps nothing. */
  readonly flush: () => Promise<void>;
  /** Ends the watch, and writes what is not written yet. */
  readonly drop: () => void;
}

/**
 * Writes the draft at its first change, whenever it rests for a moment after more, and when the page is left or hidden. A
 * page that is left may be gone before the browser has written: what was given a moment ago must not wait for it.
 */
export function keepWhileEditing(store: EditorStore, onFailure: (error: unknown) => void): Keeper {
  let written: KeptDraft = keptOf(store);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = async (): Promise<void> => {
    const now = keptOf(store);
    if (now.history === written.history && now.order === written.order) return;
    const before = written;
    written = now;
    try {
      await writeDraft(now, store.getState().draftId);
    } catch (error) {
      written = before;
      throw error;
    }
  };
  const flushSoon = (): void => void flush().catch(onFailure);
  const onHide = (): void => {
    if (document.visibilityState === "hidden") flushSoon();
  };

  const unsubscribe = store.subscribe(({ order }, before) => {
    const isFirst = timer === undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      flushSoon();
    }, PAUSE_MS);
    // An order too is written at once: what is known of it must not wait for a rest.
    if (isFirst || order !== before.order) flushSoon();
  });
  document.addEventListener("visibilitychange", onHide);
  window.addEventListener("pagehide", flushSoon);
  const drop = (): void => {
    clearTimeout(timer);
    flushSoon();
    unsubscribe();
    document.removeEventListener("visibilitychange", onHide);
    window.removeEventListener("pagehide", flushSoon);
  };
  return { flush, drop };
}

const keptOf = (store: EditorStore): KeptDraft => {
  const { history, order } = store.getState();
  return { history, order };
};
