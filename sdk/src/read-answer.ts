import { type ApiErrorCode, type Refusal, SignatureError } from "./errors.ts";
import type { ErrorDetails, WebhookMessage } from "./types.ts";

/**
 * Parses the API's envelopes. Their content has the types of the OpenAPI document, but is not validated, since the API
 * may add members at any time. This is the only place that casts unknown JSON to a type.
 */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Members of a JSON object; empty if the text is not an object. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Content of a webhook's message whose signature was verified. Throws a `SignatureError` if it is not a message. */
export function readMessage(text: string): WebhookMessage {
  const message = parseRecord(text);
  if (typeof message.type !== "string" || !isRecord(message.data)) {
    throw new SignatureError("The message is signed, but it is not one of the service's.");
  }
  return message as unknown as WebhookMessage;
}

/** `data` of a success; null if the text is not a complete envelope. */
export function readData<T>(text: string): { readonly data: T } | null {
  const { ok, data } = parseRecord(text);
  return ok === true && isRecord(data) ? { data: data as T } : null;
}

/** Content of an error response. A response that does not come from the API becomes `UNEXPECTED_ANSWER`. */
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
