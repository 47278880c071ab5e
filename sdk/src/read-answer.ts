import { type ApiErrorCode, type Refusal, SignatureError } from "./errors.ts";
import type { ErrorDetails, WebhookMessage } from "./types.ts";

/**
 * Reads the API's envelopes. What they hold is typed by the API's description and not looked at again, as in every
 * client: members may be added at any time. Only here is unknown JSON taken for a shape.
 */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The members of a JSON object; empty if the text is none. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a webhook's message says, whose signature was found right. Throws a `SignatureError` where that is no message. */
export function readMessage(text: string): WebhookMessage {
  const message = parseRecord(text);
  if (typeof message.type !== "string" || !isRecord(message.data)) {
    throw new SignatureError("The message is signed and yet none of the service's.");
  }
  return message as unknown as WebhookMessage;
}

/** The `data` of a success; null where the text is no whole envelope. */
export function readData<T>(text: string): { readonly data: T } | null {
  const { ok, data } = parseRecord(text);
  return ok === true && isRecord(data) ? { data: data as T } : null;
}

/** What an answer that is no success says; of one that the API did not give, what can be said. */
export function readRefusal(response: Response, text: string): Refusal {
  const { status, headers } = response;
  const requestId = headers.get("X-Request-ID");
  const { error } = parseRecord(text);
  if (!isRecord(error) || typeof error.code !== "string" || typeof error.message !== "string") {
    const message = `The answer is ${status} and not one that the API gives.`;
    return { status, code: "UNEXPECTED_ANSWER", message, details: {}, requestId, headers };
  }
  return {
    status,
    code: error.code as ApiErrorCode,
    message: error.message,
    details: (isRecord(error.details) ? error.details : {}) as Partial<ErrorDetails>,
    requestId,
    headers,
  };
}
