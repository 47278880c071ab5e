import { useEffect, useRef, useState } from "react";
import {
  type DraftChange,
  draftChanges,
  dropDraft,
  dropOtherFiles,
  readDraft,
  writeDraft,
} from "./draft-storage.ts";
import { isNewDraft } from "./drafts.ts";
import { createEditorStore, type EditorStore, filesInUse, type StoredDraft } from "./editor-store.ts";

export interface OpenDraft {
  readonly store: EditorStore;
  readonly keeper: DraftWriter;
  /** Whether the browser stores drafts. */
  readonly isKept: boolean;
}

/**
 * Reads a draft, and stores its changes while mounted. Null until it is read; `missing` if this browser does not have
 * it. `draftId` must not change while mounted: use it as the component's key.
 */
export function useStoredDraft(draftId: string): OpenDraft | "missing" | null {
  const [opened, setOpened] = useState<Omit<OpenDraft, "isKept"> | "missing" | null>(null);
  const [isKept, setIsKept] = useState(true);
  // React may run an effect twice while children already use the store, so keep the same store.
  const opening = useRef<Promise<EditorStore | null> | null>(null);

  useEffect(() => {
    let isOver = false;
    let keeper: DraftWriter | null = null;
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
      // Delete it again, because this page may have written it meanwhile.
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
 * Opens a stored draft or, if this page created it, an empty one; otherwise null. First deletes files that the draft no
 * longer uses.
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

export type DraftWriter = ReturnType<typeof keepWhileEditing>;

/**
 * Writes the draft at its first change, after each pause in typing, and when the page is left or hidden. The first
 * change is written at once, because writing may not finish when the page is left.
 */
function keepWhileEditing(store: EditorStore, onFailure: (error: unknown) => void) {
  let written: StoredDraft = keptOf(store);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Writes pending changes. Rejects if the browser stores nothing. */
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
    // Write orders at once, too.
    if (isFirst || order !== before.order) flushSoon();
  });
  document.addEventListener("visibilitychange", onHide);
  window.addEventListener("pagehide", flushSoon);
  const end = (): void => {
    clearTimeout(timer);
    unsubscribe();
    document.removeEventListener("visibilitychange", onHide);
    window.removeEventListener("pagehide", flushSoon);
  };
  /** Stops watching and writes pending changes. */
  const drop = (): void => {
    flushSoon();
    end();
  };
  return { flush, end, drop };
}

const keptOf = (store: EditorStore): StoredDraft => {
  const { history, name, versionOf, ordered, order } = store.getState();
  return { history, name, versionOf, ordered, order };
};

const isSame = (a: StoredDraft, b: StoredDraft): boolean =>
  a.history === b.history &&
  a.order === b.order &&
  a.name === b.name &&
  a.versionOf === b.versionOf &&
  a.ordered === b.ordered;
