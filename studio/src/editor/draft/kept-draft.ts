import { clear, createStore, del, get, keys, promisifyRequest } from "idb-keyval";
import type { KeptDraft } from "./editor-store.ts";

/** Raised when the shape changes; a draft of another shape is not read. */
const SHAPE = 1;

interface Stored extends KeptDraft {
  readonly shape: number;
}

const store = createStore("creative-packs", "drafts");
const draftKey = (draftId: string): string => `${draftId}/draft`;
const fileKey = (draftId: string, sha256: string): string => `${draftId}/file/${sha256}`;

/** The draft that is kept, or null. Rejects where the browser keeps nothing, as in some private windows. */
export async function readDraft(draftId: string): Promise<KeptDraft | null> {
  const stored = await get<Stored>(draftKey(draftId), store);
  return stored?.shape === SHAPE ? { history: stored.history, order: stored.order } : null;
}

export const writeDraft = ({ history, order }: KeptDraft, draftId: string): Promise<void> =>
  write(draftKey(draftId), { shape: SHAPE, history, order } satisfies Stored);

/** A file of a draft: its bytes, and a small picture of it where it is one that the browser can show. */
export interface KeptFile {
  readonly bytes: Blob;
  readonly thumbnail: Blob | null;
}

/** Null where there is none, or a browser that ran out of space kept it without its bytes. */
export async function readFile(draftId: string, sha256: string): Promise<KeptFile | null> {
  const kept = await get<KeptFile>(fileKey(draftId, sha256), store);
  return kept?.bytes instanceof Blob ? kept : null;
}

export const writeFile = (draftId: string, sha256: string, file: KeptFile): Promise<void> =>
  write(fileKey(draftId, sha256), file);

/**
 * Ends the transaction itself: one that waits for the page to have nothing more to write is undone where the page is left
 * meanwhile (Indexed Database API 3.0, 2.7.1).
 */
async function write(key: string, value: Stored | KeptFile): Promise<void> {
  if (isDropped) return;
  await store("readwrite", (drafts) => {
    drafts.put(value, key);
    drafts.transaction.commit();
    return promisifyRequest(drafts.transaction);
  });
}

let isDropped = false;

/** Deletes all drafts of this browser with their files. From then on this page keeps nothing: one that is left writes. */
export async function dropAllDrafts(): Promise<void> {
  isDropped = true;
  await clear(store);
}

/** Deletes the workspace's files but those that are in use. */
export async function dropOtherFiles(draftId: string, inUse: ReadonlySet<string>): Promise<void> {
  const prefix = fileKey(draftId, "");
  for (const key of await keys<string>(store)) {
    if (key.startsWith(prefix) && !inUse.has(key.slice(prefix.length))) await del(key, store);
  }
}
