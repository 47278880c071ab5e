import { useEffect, useRef, useState } from "react";
import { createEditorStore, type EditorStore, filesInUse, type KeptDraft } from "./editor-store.ts";
import { type Keeper, keepWhileEditing } from "./keep-while-editing.ts";
import { dropOtherFiles, readDraft } from "./kept-draft.ts";

export interface OpenDraft {
  readonly store: EditorStore;
  readonly keeper: Keeper;
  /** Whether the browser keeps what is done here. */
  readonly isKept: boolean;
}

interface Opened {
  readonly store: EditorStore;
  readonly keeper: Keeper;
}

/** Reads the draft and keeps it while the page stands; null until it is read. Of one draft: a key of the component names it. */
export function useKeptDraft(draftId: string): OpenDraft | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isKept, setIsKept] = useState(true);
  // React may end an effect and run it again while the page stands, and somebody holds the store already: it stays the one.
  const opening = useRef<Promise<EditorStore> | null>(null);

  useEffect(() => {
    let isOver = false;
    let keeper: Keeper | null = null;
    const onFailure = (): void => setIsKept(false);
    const open = async (): Promise<void> => {
      opening.current ??= openStore(draftId, onFailure);
      const store = await opening.current;
      if (isOver) return;
      keeper = keepWhileEditing(store, onFailure);
      setOpened({ store, keeper });
    };
    void open();
    return () => {
      isOver = true;
      keeper?.drop();
    };
  }, [draftId]);

  return opened === null ? null : { ...opened, isKept };
}

/** The draft as it was kept. Files that it no longer uses are let go of before anything can be added. */
async function openStore(draftId: string, onFailure: () => void): Promise<EditorStore> {
  const store = createEditorStore(draftId, await readOrNothing(draftId, onFailure));
  await dropOtherFiles(draftId, filesInUse(store.getState().history)).catch(onFailure);
  return store;
}

async function readOrNothing(draftId: string, onFailure: () => void): Promise<KeptDraft | null> {
  try {
    return await readDraft(draftId);
  } catch {
    onFailure();
    return null;
  }
}
