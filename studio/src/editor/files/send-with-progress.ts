import { sendWithKey } from "#api/session-key.ts";

/** Told as the bytes of a body go out. */
export type OnSent = (sentBytes: number, totalBytes: number) => void;

/** Statuses whose answers have no body (Fetch standard, null body status). */
const NO_BODY = [204, 205, 304];

/** Sends a request as `fetchWithKey` does, and tells how far its body is: `fetch` itself does not tell. */
export const sendWithProgress = (
  workspaceId: string,
  url: string,
  init: RequestInit,
  onSent: OnSent,
): Promise<Response> => sendWithKey(workspaceId, (key) => send(url, init, key, onSent));

/** Rejects with a `TypeError` where the connection fails, as `fetch` does. */
function send(url: string, init: RequestInit, key: string, onSent: OnSent): Promise<Response> {
  return new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", url);
    request.responseType = "arraybuffer";
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader("Authorization", `Bearer ${key}`);
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError("The connection failed."));
    request.onabort = () => reject(new DOMException("Aborted", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(bodyOf(init.body));
  });
}

/** The client library gives bytes or a `Blob` in a browser. */
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
