import { createContext, useContext } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { DraftOrder } from "../order/draft-order.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { begin, change, type History, redo, undo } from "./history.ts";
import type { KeptDraft } from "./kept-draft.ts";

/** The open draft, and what can be done with it. */
export interface EditorState {
  /** Of the account and the workspace. */
  readonly draftId: string;
  readonly history: History;
  readonly order: DraftOrder | null;
  /** Changes of one mark that follow one another are one step to undo. */
  readonly edit: (make: (draft: Draft) => Draft, mark?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setOrder: (order: DraftOrder | null) => void;
}

export type EditorStore = StoreApi<EditorState>;

/** A store of what was kept; of an empty draft where nothing was. */
export const createEditorStore = (draftId: string, kept: KeptDraft | null): EditorStore =>
  createStore<EditorState>((set) => ({
    draftId,
    history: kept?.history ?? begin(emptyDraft),
    order: kept?.order ?? null,
    edit: (make, mark) =>
      set(({ history }) => ({ history: change(history, make(history.present), mark ?? null, Date.now()) })),
    undo: () => set(({ history }) => ({ history: undo(history) })),
    redo: () => set(({ history }) => ({ history: redo(history) })),
    setOrder: (order) => set({ order }),
  }));

const EditorContext = createContext<EditorStore | null>(null);
export const EditorProvider = EditorContext.Provider;

/** The store itself, for what reads it when something happens. Only below `EditorProvider`. */
export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (store === null) throw new Error("useEditorStore is used outside of the editor");
  return store;
}

export const useEditor = <T>(select: (state: EditorState) => T): T => useStore(useEditorStore(), select);

/** Names the files of the open draft among those that the browser keeps. */
export const useDraftId = (): string => useEditor(({ draftId }) => draftId);

/** A part of the open draft. */
export const useDraft = <T>(select: (draft: Draft) => T): T =>
  useEditor(({ history }) => select(history.present));

export const useEdit = (): EditorState["edit"] => useEditor(({ edit }) => edit);
