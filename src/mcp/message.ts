import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { refuse } from "../api/errors.ts";
import { LIMITS } from "../api/limits.ts";
import type { AppEnv } from "../http/context.ts";
import { discardBody } from "../http/discard-body.ts";
import { RefusedRequest } from "../http/envelope.ts";

/** A refusal in the protocol's own form. */
export interface ProtocolRefusal {
  readonly status: 400 | 403 | 413;
  readonly code: number;
  readonly message: string;
}

/** Codes of the error object of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** More than any picture that a slot takes is in base64. */
const DISCARDED_BYTES_MAX = 2 * LIMITS.uploadBytesMax;

const TOO_LONG: ProtocolRefusal = {
  status: 413,
  code: INVALID_REQUEST,
  message:
    `The message is larger than ${LIMITS.agentMessageBytesMax} bytes. A file of more than ` +
    `${LIMITS.agentFileBytesMax} bytes does not fit into one: give import_asset its https address, or upload it with ` +
    "POST /api/v1/assets/uploads.",
};

/** The body as text, or null where it is too long: then nothing of it is kept. 400 where it breaks off. */
async function readText(c: Context<AppEnv>): Promise<string | null> {
  let text: string | null = null;
  const limit = bodyLimit({
    maxSize: LIMITS.agentMessageBytesMax,
    onError: () => c.body(null, 413),
  });
  try {
    await limit(c, async () => {
      text = await c.req.text();
    });
    if (text === null) await discardBody(c.req.raw.body, DISCARDED_BYTES_MAX);
  } catch {
    // Only the connection can fail here.
    throw new RefusedRequest(refuse("BODY_INCOMPLETE", "The connection ended before the body was whole."));
  }
  return text;
}

export type Message =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly refusal: ProtocolRefusal };

const refused = (refusal: ProtocolRefusal): Message => ({ ok: false, refusal });

/**
 * Reads the one message of a request. Lists of messages are refused: the protocol has none, and one of a thousand calls
 * would count as one request.
 */
export async function readMessage(c: Context<AppEnv>): Promise<Message> {
  const text = await readText(c);
  if (text === null) return refused(TOO_LONG);
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
    message: "Send one JSON-RPC message a request; lists of messages are not taken.",
  });
}
