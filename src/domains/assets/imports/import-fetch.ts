import { LIMITS } from "#api/limits.ts";
import { MIME_TYPES, type MimeType, SLOTS, type SlotId } from "#api/slots.ts";
import { clock } from "#platform/clock.ts";
import { discard, httpClient, readRetryAfter } from "#platform/outbound/http-client.ts";
import { type AddressRules, checkAddress } from "#platform/outbound/ssrf-guard.ts";
import { unsupportedFormatOfType } from "#renderer/decode/unsupported-format.ts";
import {
  addressRefused,
  answered,
  empty,
  type ImportFailure,
  timedOut,
  tooLarge,
  tooManyRedirects,
  unreachable,
  wrongType,
} from "./import-failure.ts";

/** A response whose file has begun to arrive. */
export interface OpenedFile {
  readonly kind: "opened";
  readonly body: ReadableStream<Uint8Array>;
  /** Declared length of the body; null when absent or when the body is compressed. */
  readonly byteLength: number | null;
  /** The declared type if a slot accepts it; null for a generic declaration. */
  readonly mimeType: MimeType | null;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Generic types under which servers send any file, above all SVG and fonts; the first bytes then decide the type. Any
 * other type that no slot accepts (`text/html`, `application/json`, `image/gif` …) is trusted, and the file is refused.
 */
const VAGUE_TYPES: readonly string[] = (
  "application/octet-stream binary/octet-stream application/binary application/download application/force-download " +
  "application/x-download image/jpg image/pjpeg image/x-png image/svg image/* text/plain text/xml application/xml " +
  "font/sfnt font/* application/font-sfnt application/x-font-ttf application/x-font-truetype application/x-font-otf " +
  "application/x-font-opentype application/vnd.ms-opentype"
).split(" ");

/**
 * Requests a file and reads the response's head. The address guard checks every URL, including redirects, before a
 * request is sent to it. Sends no credentials.
 */
export async function openFile(
  address: string,
  slotId: SlotId,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<OpenedFile | ImportFailure> {
  let next = address;
  for (let redirects = 0; redirects <= LIMITS.importRedirectsMax; redirects += 1) {
    const url = checkAddress(next, rules);
    if (!url.ok) return addressRefused(url.message, redirects > 0);
    let response: Response;
    try {
      response = await httpClient.fetch(requestFor(url.value, slotId, signal));
    } catch {
      return signal.aborted ? timedOut() : unreachable();
    }
    const location = REDIRECTS.includes(response.status) ? response.headers.get("Location") : null;
    if (location === null) return readHead(response, slotId);
    discard(response);
    next = resolve(location, url.value);
  }
  return tooManyRedirects();
}

const requestFor = (url: URL, slotId: SlotId, signal: AbortSignal): Request =>
  new Request(url, {
    headers: {
      Accept: [...SLOTS[slotId].accepts, "*/*;q=0.1"].join(", "),
      "Accept-Encoding": "identity",
      "User-Agent": "creative-packs-imports/1",
    },
    redirect: "manual",
    signal,
  });

/** The target of a redirect, without its fragment. An invalid one is returned as it is, for the guard to refuse. */
function resolve(location: string, from: URL): string {
  if (!URL.canParse(location, from)) return location;
  const url = new URL(location, from);
  url.hash = "";
  return url.href;
}

/** Checks from the response's head whether the slot accepts the file; cancels the body otherwise. */
function readHead(response: Response, slotId: SlotId): OpenedFile | ImportFailure {
  const { status, headers, body } = response;
  const refuse = (failure: ImportFailure): ImportFailure => {
    discard(response);
    return failure;
  };
  if (status !== 200)
    return refuse(answered(status, readRetryAfter(headers.get("Retry-After"), clock.now())));
  if (body === null) return empty();
  const byteLength = declaredLength(headers);
  if (byteLength !== null && byteLength > LIMITS.uploadBytesMax) return refuse(tooLarge());
  const type = (headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const mimeType = MIME_TYPES.find((known) => known === type) ?? null;
  if (mimeType === null && type !== "" && !VAGUE_TYPES.includes(type)) {
    const isPage = type === "text/html" || type === "application/xhtml+xml";
    return refuse(
      wrongType(
        slotId,
        isPage ? "The server sent a web page" : "The server sent another type of file",
        unsupportedFormatOfType(type),
      ),
    );
  }
  if (mimeType !== null && !SLOTS[slotId].accepts.includes(mimeType)) {
    return refuse(wrongType(slotId, `The server sent ${mimeType}`));
  }
  return { kind: "opened", body, byteLength, mimeType };
}

function declaredLength(headers: Headers): number | null {
  const encoding = headers.get("Content-Encoding");
  const length = headers.get("Content-Length");
  if (encoding !== null && encoding.toLowerCase() !== "identity") return null;
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}
