import type { CreateJob } from "creative-packs";
import { createContext, useContext } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { type Draft, emptyDraft } from "./draft.ts";

/** A draft with its undo and redo history. */
export interface History {
  /** Oldest first. */
  readonly past: readonly Draft[];
  readonly present: Draft;
  /** Last undone first. */
  readonly future: readonly Draft[];
  /** Mark and time (ms) of the last change: continued typing in a field is one step. Null after any other change. */
  readonly last: { readonly mark: string; readonly atMs: number } | null;
}

const STEPS_MAX = 60;
/** A pause this long starts a new step. */
const PAUSE_MS = 1_200;

export const begin = (present: Draft): History => ({ past: [], present, future: [], last: null });

/**
 * The history after a change. Consecutive changes with the same mark and without a pause are one step; a change without
 * a mark is always its own step.
 */
export function change(history: History, present: Draft, mark: string | null, nowMs: number): History {
  if (present === history.present) return history;
  const { last } = history;
  const goesOn = mark !== null && last?.mark === mark && nowMs - last.atMs < PAUSE_MS;
  return {
    past: goesOn ? history.past : [...history.past, history.present].slice(-STEPS_MAX),
    present,
    future: [],
    last: mark === null ? null : { mark, atMs: nowMs },
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
 * An order, stored with the draft before it is sent and until it has ended. Resending it with its key makes and charges
 * the same job.
 */
export interface DraftOrder {
  readonly idempotencyKey: string;
  readonly request: CreateJob;
  /** The draft that was ordered. */
  readonly draft: Draft;
  /** Credits. */
  readonly cost: number;
  /** Null until the service has answered. */
  readonly jobId: string | null;
}

/** A draft as this browser stores it. */
export interface StoredDraft {
  readonly history: History;
  /** Empty while it is listed by its headline. */
  readonly name: string;
  /** The job that its next order is a new version of. */
  readonly versionOf: string | null;
  /** The draft as last ordered. While unchanged, it is not listed among the drafts. */
  readonly ordered: Draft | null;
  /** Its order, while the outcome is unknown. */
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
  /** Its storage key: account, workspace and draft id. */
  readonly draftId: string;
  /** Consecutive changes with the same mark are one undo step. */
  readonly edit: (make: (draft: Draft) => Draft, mark?: string) => void;
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
    edit: (make, mark) =>
      set(({ history }) => ({ history: change(history, make(history.present), mark ?? null, Date.now()) })),
    undo: () => set(({ history }) => ({ history: undo(history) })),
    redo: () => set(({ history }) => ({ history: redo(history) })),
    setOrder: (order) => set({ order }),
    rename: (name) => set({ name }),
    setVersionOf: (versionOf) => set({ versionOf }),
    finishOrder: (jobId) =>
      set(({ history, order, versionOf }) => ({
        order: null,
        versionOf: versionOf ?? jobId,
        // The draft may have changed since.
        ordered: order?.draft ?? history.present,
      })),
  }));

const EditorContext = createContext<EditorStore | null>(null);
export const EditorProvider = EditorContext.Provider;

/** The store, for event handlers. Only below `EditorProvider`. */
export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (store === null) throw new Error("useEditorStore is used outside of the editor");
  return store;
}

export const useEditor = <T>(select: (state: EditorState) => T): T => useStore(useEditorStore(), select);

/** Storage key of the open draft's files. */
export const useDraftId = (): string => useEditor(({ draftId }) => draftId);

/** Selects a part of the open draft. */
export const useDraft = <T>(select: (draft: Draft) => T): T =>
  useEditor(({ history }) => select(history.present));

export const useEdit = (): EditorState["edit"] => useEditor(({ edit }) => edit);
