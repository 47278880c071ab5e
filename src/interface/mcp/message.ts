import type { Context } from "hono";
import { LIMITS } from "#api/limits.ts";
import type { AppEnv } from "../http/context.ts";
import { readLimitedText } from "../http/json-body.ts";

/** A refusal in the protocol's own format. */
export interface ProtocolRefusal {
  readonly status: 400 | 403 | 413;
  readonly code: number;
  readonly message: string;
}

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Bytes of an overlong body that are read and discarded: more than the base64 of any file that a slot accepts. */
const DISCARDED_BYTES_MAX = 2 * LIMITS.uploadBytesMax;

const TOO_LONG: ProtocolRefusal = {
  status: 413,
  code: INVALID_REQUEST,
  message:
    `The message is larger than ${LIMITS.agentMessageBytesMax} bytes. A file of more than ` +
    `${LIMITS.agentFileBytesMax} bytes does not fit into one: give import_asset its https address, or upload it with ` +
    "POST /api/v1/assets/uploads.",
};

const TOO_COMPLEX: ProtocolRefusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: "The message nests too deeply, or has too many members.",
};

/**
 * Whether a message may be larger than `jsonBodyBytesMax`; only messages with a file are. Decided by the headers,
 * before the body is read; true without a declared length.
 */
export const isLargeMessage = (c: Context<AppEnv>): boolean =>
  c.req.raw.body !== null && !(declaredLength(c) <= LIMITS.jsonBodyBytesMax);

/** Whether the declared length exceeds the maximum of a message. */
export const isOverlong = (c: Context<AppEnv>): boolean => declaredLength(c) > LIMITS.agentMessageBytesMax;

/** The declared length in bytes; NaN if none is declared. */
const declaredLength = (c: Context<AppEnv>): number =>
  Number(c.req.header("Transfer-Encoding") === undefined ? c.req.header("Content-Length") : undefined);

export type Message =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly refusal: ProtocolRefusal };

const refused = (refusal: ProtocolRefusal): Message => ({ ok: false, refusal });

/**
 * Reads a request's one message. Refuses lists of messages: the protocol has none, and a list of a thousand calls would
 * count as one request. 400 BODY_INCOMPLETE if the body ends early or arrives too slowly.
 */
export async function readMessage(c: Context<AppEnv>, bytesPerSecondMin = 0): Promise<Message> {
  const limits = { bytesMax: LIMITS.agentMessageBytesMax, discardedBytesMax: DISCARDED_BYTES_MAX };
  const text = await readLimitedText(c, { ...limits, bytesPerSecondMin });
  if (text === null) return refused(TOO_LONG);
  if (isTooComplex(text)) return refused(TOO_COMPLEX);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refused({ status: 400, code: PARSE_ERROR, message: "The body is not valid JSON." });
  }
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ok: true, body };
  return refused({
    status: 400,
    code: INVALID_REQUEST,
    message: "Send one JSON-RPC message per request, not a list of messages.",
  });
}

/** Deeper than any tool's arguments. */
const DEPTH_MAX = 32;
/** Maximum number of members and items: more than the largest pack has, but few enough to need little memory. */
const VALUES_MAX = 5_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Index of the quote that ends the string beginning at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/**
 * Whether JSON text nests deeper or has more values than any message: a megabyte of brackets or short members takes 20
 * MB once parsed. Skips strings, so base64 of any length is one value. Linear time.
 */
function isTooComplex(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
    }
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true;
  }
  return false;
}
