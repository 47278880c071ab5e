import { useEffect, useRef, useState } from "react";
import { isNewDraft } from "./drafts.ts";
import { createEditorStore, type EditorStore, filesInUse, type KeptDraft } from "./editor-store.ts";
import {
  type DraftChange,
  draftChanges,
  dropDraft,
  dropOtherFiles,
  readDraft,
  writeDraft,
} from "./kept-draft.ts";

export interface OpenDraft {
  readonly store: EditorStore;
  readonly keeper: Keeper;
  /** Whether the browser keeps what is done here. */
  readonly isKept: boolean;
}

/**
 * Reads the draft and keeps it while the page stands; null until it is read, `missing` where this browser does not have it.
 * Of one draft: a key of the component names it.
 */
export function useKeptDraft(draftId: string): OpenDraft | "missing" | null {
  const [opened, setOpened] = useState<Omit<OpenDraft, "isKept"> | "missing" | null>(null);
  const [isKept, setIsKept] = useState(true);
  // React may end an effect and run it again while the page stands, and somebody holds the store already: it stays the one.
  const opening = useRef<Promise<EditorStore | null> | null>(null);

  useEffect(() => {
    let isOver = false;
    let keeper: Keeper | null = null;
    const onFailure = (): void => setIsKept(false);
    const open = async (): Promise<void> => {
      opening.current ??= openStore(draftId, onFailure);
      const store = await opening.current;
      if (isOver) return;
      if (store === null) return setOpened("missing");
      keeper = keepWhileEditing(store, onFailure);
      setOpened({ store, keeper });
    };
    void open();
    const onChange = ({ data: { draftId: changed, name } }: MessageEvent<DraftChange>): void => {
      if (changed !== draftId) return;
      if (name !== null) return void opening.current?.then((store) => store?.getState().rename(name));
      isOver = true;
      keeper?.end();
      // Once more: this page may have written it meanwhile.
      void dropDraft(draftId);
      setOpened("missing");
    };
    draftChanges.addEventListener("message", onChange);
    return () => {
      draftChanges.removeEventListener("message", onChange);
      if (!isOver) keeper?.drop();
      isOver = true;
    };
  }, [draftId]);

  return opened === null || opened === "missing" ? opened : { ...opened, isKept };
}

/**
 * The draft as it was kept, or a new one; null where there is none. Files that it no longer uses are deleted before anything
 * can be added.
 */
async function openStore(draftId: string, onFailure: () => void): Promise<EditorStore | null> {
  let hasFailed = false;
  const kept = await readDraft(draftId).catch(() => {
    hasFailed = true;
    onFailure();
    return null;
  });
  if (kept === null && !hasFailed && !isNewDraft(draftId)) return null;
  const store = createEditorStore(draftId, kept);
  await dropOtherFiles(draftId, filesInUse(store.getState().history)).catch(onFailure);
  return store;
}

const PAUSE_MS = 300;

export type Keeper = ReturnType<typeof keepWhileEditing>;

/**
 * Writes the draft at its first change, whenever it rests for a moment after more, and when the page is left or hidden. A
 * page that is left may be gone before the browser has written: what was given a moment ago must not wait for it.
 */
function keepWhileEditing(store: EditorStore, onFailure: (error: unknown) => void) {
  let written: KeptDraft = keptOf(store);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Writes what is not written yet. Rejects where the browser keeps nothing. */
  const flush = async (): Promise<void> => {
    const now = keptOf(store);
    if (isSame(now, written)) return;
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
  /** Ends the watch. */
  const end = (): void => {
    clearTimeout(timer);
    unsubscribe();
    document.removeEventListener("visibilitychange", onHide);
    window.removeEventListener("pagehide", flushSoon);
  };
  /** Ends the watch, and writes what is not written yet. */
  const drop = (): void => {
    flushSoon();
    end();
  };
  return { flush, end, drop };
}

const keptOf = (store: EditorStore): KeptDraft => {
  const { history, name, versionOf, ordered, order } = store.getState();
  return { history, name, versionOf, ordered, order };
};

const isSame = (a: KeptDraft, b: KeptDraft): boolean =>
  a.history === b.history &&
  a.order === b.order &&
  a.name === b.name &&
  a.versionOf === b.versionOf &&
  a.ordered === b.ordered;
