import type { CreateJob } from "creative-packs";
import { createContext, useContext } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { type Draft, emptyDraft } from "./draft.ts";

/** A draft with what it was before and what was undone. */
export interface History {
  /** Oldest first. */
  readonly past: readonly Draft[];
  readonly present: Draft;
  /** What was undone last comes first. */
  readonly future: readonly Draft[];
  /** What the last change was of, and when, in ms: typing on in one field is one step. Null after any other. */
  readonly last: { readonly mark: string; readonly atMs: number } | null;
}

const STEPS_MAX = 60;
/** A pause of this length begins a new step. */
const PAUSE_MS = 1_200;

export const begin = (present: Draft): History => ({ past: [], present, future: [], last: null });

/**
 * The history after a change. Changes of one mark that follow one another without a pause are one step; a change without a
 * mark is a step of its own.
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

/** The SHA-256 of every file that a step of the history shows. */
export const filesInUse = ({ past, present, future }: History): ReadonlySet<string> =>
  new Set(
    [...past, present, ...future].flatMap(({ files }) => Object.values(files).map(({ sha256 }) => sha256)),
  );

/**
 * An order as the draft keeps it from before it is sent until it has ended. Sent again with its key, it makes and pays the
 * same job.
 */
export interface DraftOrder {
  readonly idempotencyKey: string;
  readonly request: CreateJob;
  /** The draft that the request was made of. */
  readonly draft: Draft;
  /** Credits. */
  readonly cost: number;
  /** Null until the service has answered. */
  readonly jobId: string | null;
}

/** A draft as this browser keeps it. */
export interface KeptDraft {
  readonly history: History;
  /** Empty while it is called by its headline. */
  readonly name: string;
  /** The job that an order of it is a new version of. */
  readonly versionOf: string | null;
  /** The draft as it was last ordered. While it is still the same, it is not listed among the drafts. */
  readonly ordered: Draft | null;
  /** What was ordered of it and is not known to have ended. */
  readonly order: DraftOrder | null;
}

export const newDraft: KeptDraft = {
  history: begin(emptyDraft),
  name: "",
  versionOf: null,
  ordered: null,
  order: null,
};

/** The open draft, and what can be done with it. */
export interface EditorState extends KeptDraft {
  /** Its key among the drafts that the browser keeps: account, workspace and its own id. */
  readonly draftId: string;
  /** Changes of one mark that follow one another are one step to undo. */
  readonly edit: (make: (draft: Draft) => Draft, mark?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setOrder: (order: DraftOrder | null) => void;
  readonly rename: (name: string) => void;
  readonly setVersionOf: (versionOf: string) => void;
  /** Ends an order whose pack is ready: what is ordered of the draft from now on is a new version of it. */
  readonly finishOrder: (jobId: string) => void;
}

export type EditorStore = StoreApi<EditorState>;

/** A store of what was kept; of an empty draft where nothing was. */
export const createEditorStore = (draftId: string, kept: KeptDraft | null): EditorStore =>
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
