import { onlineManager, type QueryObserverResult, queryOptions, useQueries } from "@tanstack/react-query";
import { ConnectionError, CreativePacks, type PackRequest } from "creative-packs";
import type { SlotId } from "creative-packs-service/slots";
import { useSyncExternalStore } from "react";
import { createStore } from "zustand";
import { fetchWithKey } from "#api/client.ts";
import { sendWithKey } from "#api/session-key.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { type DraftFile, type Files, filesOf } from "../draft/draft.ts";
import { useDraftId } from "../draft/editor-store.ts";
import { bytesOf } from "../draft/file-bytes.ts";
import { takes } from "./guess-slot.ts";

/** Upload state of a file. */
export type UploadState =
  /** `sentShares` has the progress, under `key`. */
  | { readonly status: "sending"; readonly key: string }
  /** Offline; continues when the connection is back. */
  | { readonly status: "offline" }
  | { readonly status: "ready"; readonly assetId: string }
  | { readonly status: "failed"; readonly error: unknown; readonly retry: () => void };

/** Fraction of each file that was sent, 0 to 1, by upload key. */
export const sentShares = createStore<Readonly<Record<string, number>>>(() => ({}));

const keyOf = (workspaceId: string, slot: SlotId, sha256: string): string =>
  `${workspaceId}/${slot}/${sha256}`;

/** Account and workspace of the uploads. */
interface Place {
  readonly workspaceId: string;
  readonly draftId: string;
}

async function upload(
  { workspaceId, draftId }: Place,
  slot: SlotId,
  file: DraftFile,
  signal: AbortSignal,
): Promise<string> {
  const key = keyOf(workspaceId, slot, file.sha256);
  const client = new CreativePacks({
    apiKey: null,
    baseUrl: location.origin,
    fetch: (url, init) =>
      init.method === "PUT"
        ? sendWithKey(workspaceId, (apiKey) =>
            send(url, init, apiKey, (share) => sentShares.setState({ [key]: share })),
          )
        : fetchWithKey(workspaceId, url, init),
  });
  sentShares.setState({ [key]: 0 });
  const bytes = await bytesOf(draftId, file.sha256);
  const { assetId } = await client.assets.upload(bytes, { slot, name: safeName(file.name), signal });
  return assetId;
}

/** The service rejects folders and unprintable characters in names. */
const safeName = (name: string): string =>
  [...name.replace(/[/\\\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "_")].slice(-200).join("") || "file";

/** Maximum retries after failed connections. Offline, a retry waits for the connection. */
const TRIES_MAX = 4;

/** Uploads a file; the result is its asset's id. */
export const uploadQuery = (place: Place, slot: SlotId, file: DraftFile) =>
  queryOptions({
    queryKey: ["upload", place.workspaceId, slot, file.sha256],
    queryFn: ({ signal }) => upload(place, slot, file, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnReconnect: ({ state }) => state.error instanceof ConnectionError,
    retry: (count, error) => error instanceof ConnectionError && count < TRIES_MAX,
  });

function stateOf(key: string, query: QueryObserverResult<string>): UploadState {
  if (query.data !== undefined) return { status: "ready", assetId: query.data };
  if (query.fetchStatus === "paused" || (query.isFetching && !onlineManager.isOnline()))
    return { status: "offline" };
  if (query.fetchStatus === "idle" && query.error !== null)
    return { status: "failed", error: query.error, retry: () => void query.refetch() };
  return { status: "sending", key };
}

export type Uploads = Readonly<Partial<Record<SlotId, UploadState>>>;

/**
 * Uploads the files of the draft that their slots accept, and returns their upload states. Files that the service
 * already has are not sent again. Does nothing if the user may not upload.
 */
export function useUploads(files: Files, mayUpload: boolean): Uploads {
  const workspaceId = useWorkspaceId();
  const draftId = useDraftId();
  const filled = mayUpload ? filesOf(files).filter(([slot, file]) => takes(slot, file)) : [];
  // Render again when the browser goes online or offline, since the upload states depend on it.
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return useQueries({
    queries: filled.map(([slot, file]) => uploadQuery({ workspaceId, draftId }, slot, file)),
    combine: (results) =>
      Object.fromEntries(
        results.flatMap((query, index) => {
          const entry = filled[index];
          if (entry === undefined) return [];
          const [slot, { sha256 }] = entry;
          return [[slot, stateOf(keyOf(workspaceId, slot, sha256), query)] as const];
        }),
      ) satisfies Uploads,
  });
}

/** Returns the assets of a draft's files by slot, null until all are uploaded, and whether an upload has failed. */
export function readyAssets(files: Files, uploads: Uploads) {
  const given = filesOf(files);
  const ready = given.flatMap(([slot]) => {
    const upload = uploads[slot];
    return upload?.status === "ready" ? [[slot, upload.assetId] as const] : [];
  });
  const hasFailed = given.some(([slot, file]) => !takes(slot, file) || uploads[slot]?.status === "failed");
  const assetIds: PackRequest["assetIds"] | null =
    ready.length === given.length ? Object.fromEntries(ready) : null;
  return { assetIds, hasFailed };
}

/** Status codes without a response body (Fetch standard, null body status). */
const NO_BODY = [204, 205, 304];

/**
 * Sends a request with a key. Rejects with a `TypeError` if the connection fails, as `fetch` does. Unlike `fetch`,
 * reports the sent fraction of the body, 0 to 1, to `onSent`.
 */
function send(
  url: string,
  init: RequestInit,
  key: string,
  onSent: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", url);
    request.responseType = "arraybuffer";
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader("Authorization", `Bearer ${key}`);
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError("The connection failed."));
    request.onabort = () => reject(new DOMException("Aborted", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(bodyOf(init.body));
  });
}

/** Narrows the type: in browsers, the client library passes bytes or a `Blob`. */
function bodyOf(body: RequestInit["body"]): XMLHttpRequestBodyInit | null {
  if (body instanceof ReadableStream) throw new TypeError("A stream cannot be sent with its progress.");
  return body ?? null;
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status, statusText } = request;
  const body = NO_BODY.includes(status) ? null : request.response;
  return new Response(body, { status, statusText, headers });
}
