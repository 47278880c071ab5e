import { clear, createStore, del, get, getMany, keys, promisifyRequest } from "idb-keyval";
import type { StoredDraft } from "./editor-store.ts";

/** Version of the stored format. Drafts with another version are ignored. */
const SHAPE = 1;

interface Stored extends StoredDraft {
  readonly shape: number;
  /** Time of the last change, Unix ms. */
  readonly updatedAt: number;
}

const store = createStore("creative-packs", "drafts");
const draftKey = (draftId: string): string => `${draftId}/draft`;
const fileKey = (draftId: string, sha256: string): string => `${draftId}/file/${sha256}`;

/** Reads a stored draft; null if there is none. Rejects if the browser has no storage, as in some private windows. */
export async function readDraft(draftId: string): Promise<StoredDraft | null> {
  const stored = await get<Stored>(draftKey(draftId), store);
  return stored?.shape === SHAPE ? stored : null;
}

export const writeDraft = (draft: StoredDraft, draftId: string): Promise<void> =>
  write(draftKey(draftId), { ...draft, shape: SHAPE, updatedAt: Date.now() } satisfies Stored);

/** A draft in a list. */
export interface ListedDraft extends Stored {
  readonly draftId: string;
}

/** Drafts of a scope (account and workspace), last changed first. */
export async function listDrafts(scope: string): Promise<readonly ListedDraft[]> {
  const own = (await keys<string>(store)).filter(
    (key) => key.startsWith(`${scope}/`) && key.endsWith("/draft"),
  );
  const found = await getMany<Stored | undefined>(own, store);
  return found
    .flatMap((stored, at) => {
      const draftId = own[at]?.slice(0, -"/draft".length);
      return stored?.shape !== SHAPE || draftId === undefined ? [] : [{ ...stored, draftId }];
    })
    .sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Copies a draft with its files; `change`: members in which the copy differs. */
export async function copyDraft(from: string, to: string, change: Partial<StoredDraft> = {}): Promise<void> {
  const draft = await readDraft(from);
  for (const key of await keysOf(from)) {
    const value = await get<Stored | StoredFile>(key, store);
    if (key !== draftKey(from) && value !== undefined) await write(to + key.slice(from.length), value);
  }
  if (draft !== null) await writeDraft({ ...draft, ...change }, to);
}

export async function dropDraft(draftId: string): Promise<void> {
  for (const key of await keysOf(draftId)) await del(key, store);
}

/**
 * A change in the list of drafts of another tab. `name`: the new name, or null if the draft was deleted. `draftId`:
 * null for all drafts.
 */
export interface DraftChange {
  readonly draftId: string | null;
  readonly name: string | null;
}

/** Sends changes to the tab that has the draft open, which would otherwise overwrite them. */
export const draftChanges = new BroadcastChannel("creative-packs.drafts");

export const announce = (change: DraftChange): void => draftChanges.postMessage(change);

/** Storage keys of a draft and its files. */
const keysOf = async (draftId: string): Promise<readonly string[]> =>
  (await keys<string>(store)).filter(
    (key) => key === draftKey(draftId) || key.startsWith(fileKey(draftId, "")),
  );

/** A draft's file: its bytes, and a thumbnail if the browser can show it. */
export interface StoredFile {
  readonly bytes: Blob;
  readonly thumbnail: Blob | null;
}

/** Reads a file; null if there is none, or if the browser ran out of space and stored it without its bytes. */
export async function readFile(draftId: string, sha256: string): Promise<StoredFile | null> {
  const kept = await get<StoredFile>(fileKey(draftId, sha256), store);
  return kept?.bytes instanceof Blob ? kept : null;
}

export const writeFile = (draftId: string, sha256: string, file: StoredFile): Promise<void> =>
  write(fileKey(draftId, sha256), file);

/**
 * Writes a value and commits explicitly. Otherwise the transaction would be aborted if the page is left (Indexed
 * Database API 3.0, 2.7.1).
 */
async function write(key: string, value: Stored | StoredFile): Promise<void> {
  if (isDropped) throw new Error("All drafts of this browser were deleted while the page was open");
  await store("readwrite", (drafts) => {
    drafts.put(value, key);
    drafts.transaction.commit();
    return promisifyRequest(drafts.transaction);
  });
}

let isDropped = false;

/**
 * Deletes all drafts and files of this browser. Open pages must not store drafts again until they are reloaded, because
 * they would write their drafts when closed.
 */
export async function dropAllDrafts(): Promise<void> {
  announce({ draftId: null, name: null });
  await dropHere();
}

const dropHere = (): Promise<void> => {
  isDropped = true;
  return clear(store);
};
draftChanges.addEventListener("message", ({ data }: MessageEvent<DraftChange>) => {
  if (data.draftId === null) void dropHere();
});

/** Deletes the draft's stored files that are not in use. */
export async function dropOtherFiles(draftId: string, inUse: ReadonlySet<string>): Promise<void> {
  const prefix = fileKey(draftId, "");
  for (const key of await keys<string>(store)) {
    if (key.startsWith(prefix) && !inUse.has(key.slice(prefix.length))) await del(key, store);
  }
}
