import type { CreateJob } from "creative-packs";
import { createContext, useContext } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { type Draft, emptyDraft } from "./draft.ts";

/** A draft with its undo and redo history. */
export interface History {
  /** Earlier drafts, oldest first. */
  readonly past: readonly Draft[];
  readonly present: Draft;
  /** Undone drafts, last undone first. */
  readonly future: readonly Draft[];
  /**
   * Merge key (the name of the edited field) and time (Unix ms) of the last change, so that continuous typing in a
   * field is one undo step. Null if the change had no merge key.
   */
  readonly last: { readonly mergeKey: string; readonly atMs: number } | null;
}

const STEPS_MAX = 60;
/** After a pause this long, typing starts a new step. */
const PAUSE_MS = 1_200;

export const begin = (present: Draft): History => ({ past: [], present, future: [], last: null });

/**
 * The history after a change. Consecutive changes with the same merge key and without a pause are one step; a change without
 * a merge key is always its own step.
 */
export function change(history: History, present: Draft, mergeKey: string | null, nowMs: number): History {
  if (present === history.present) return history;
  const { last } = history;
  const goesOn = mergeKey !== null && last?.mergeKey === mergeKey && nowMs - last.atMs < PAUSE_MS;
  return {
    past: goesOn ? history.past : [...history.past, history.present].slice(-STEPS_MAX),
    present,
    future: [],
    last: mergeKey === null ? null : { mergeKey, atMs: nowMs },
  };
}

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    last: null,
  };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, last: null };
}

/** SHA-256 of every file in the history. */
export const filesInUse = ({ past, present, future }: History): ReadonlySet<string> =>
  new Set(
    [...past, present, ...future].flatMap(({ files }) => Object.values(files).map(({ sha256 }) => sha256)),
  );

/**
 * An order, stored with the draft before it is sent, and until its job has ended. Resending it with the same key
 * returns the same job and charges nothing twice.
 */
export interface DraftOrder {
  readonly idempotencyKey: string;
  readonly request: CreateJob;
  /** The draft that was ordered. */
  readonly draft: Draft;
  /** Cost in credits. */
  readonly cost: number;
  /** Null until the service has responded. */
  readonly jobId: string | null;
}

/** A draft as this browser stores it. */
export interface StoredDraft {
  readonly history: History;
  /** Name in the list; empty if the draft is listed by its headline. */
  readonly name: string;
  /** Job id of the pack of which the next order will be a new version; null if it will be a new pack. */
  readonly versionOf: string | null;
  /** The draft as last ordered. Until it is changed, it is not listed among the drafts. */
  readonly ordered: Draft | null;
  /** The order in progress, until its outcome is known. */
  readonly order: DraftOrder | null;
}

export const newDraft: StoredDraft = {
  history: begin(emptyDraft),
  name: "",
  versionOf: null,
  ordered: null,
  order: null,
};

/** The open draft and its actions. */
export interface EditorState extends StoredDraft {
  /** Storage key of the draft: account, workspace and draft id. */
  readonly draftId: string;
  /** Consecutive changes with the same merge key are one undo step. */
  readonly edit: (make: (draft: Draft) => Draft, mergeKey?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setOrder: (order: DraftOrder | null) => void;
  readonly rename: (name: string) => void;
  readonly setVersionOf: (versionOf: string) => void;
  /** Ends an order whose pack is ready; the draft's next order is a new version of it. */
  readonly finishOrder: (jobId: string) => void;
}

export type EditorStore = StoreApi<EditorState>;

/** A store for a stored draft, or for an empty one. */
export const createEditorStore = (draftId: string, kept: StoredDraft | null): EditorStore =>
  createStore<EditorState>((set) => ({
    ...(kept ?? newDraft),
    draftId,
    edit: (make, mergeKey) =>
      set(({ history }) => ({
        history: change(history, make(history.present), mergeKey ?? null, Date.now()),
      })),
    undo: () => set(({ history }) => ({ history: undo(history) })),
    redo: () => set(({ history }) => ({ history: redo(history) })),
    setOrder: (order) => set({ order }),
    rename: (name) => set({ name }),
    setVersionOf: (versionOf) => set({ versionOf }),
    finishOrder: (jobId) =>
      set(({ history, order, versionOf }) => ({
        order: null,
        versionOf: versionOf ?? jobId,
        // The ordered draft, because the present one may have changed since.
        ordered: order?.draft ?? history.present,
      })),
  }));

const EditorContext = createContext<EditorStore | null>(null);
export const EditorProvider = EditorContext.Provider;

/** The store, for event handlers. Works only below `EditorProvider`. */
export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (store === null) throw new Error("useEditorStore is used outside of the editor");
  return store;
}

export const useEditor = <T>(select: (state: EditorState) => T): T => useStore(useEditorStore(), select);

/** Storage key of the open draft. */
export const useDraftId = (): string => useEditor(({ draftId }) => draftId);

/** Selects a part of the open draft. */
export const useDraft = <T>(select: (draft: Draft) => T): T =>
  useEditor(({ history }) => select(history.present));

export const useEdit = (): EditorState["edit"] => useEditor(({ edit }) => edit);
