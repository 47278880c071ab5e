import { ConnectionError, TimeoutError } from "creative-packs";
import { readData, readRefusal, toApiError } from "creative-packs/internal";
import { OPERATIONS, type Operations } from "./generated/account-operations.ts";

export type AccountOperation = keyof Operations;

/** Arguments of an account operation. */
export interface AccountCall<Id extends AccountOperation> {
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Operations[Id]["query"];
  readonly json?: Operations[Id]["body"];
  /** Calls with the same key take effect once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

const WAIT_MS_MAX = 30_000;

const addressOf = (template: string, call: AccountCall<AccountOperation>): string => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.path?.[name] ?? ""),
  );
  const given = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? path : `${path}?${query}`;
};

/**
 * Calls an account operation with the session cookie and returns the response's `data`. Throws the client library's
 * errors: `ApiError` for a refusal, `TimeoutError` and `ConnectionError` for a missing or partial response.
 */
export async function callAccount<Id extends AccountOperation>(
  operation: Id,
  call: AccountCall<Id> = {},
): Promise<Operations[Id]["data"]> {
  const { method, path } = OPERATIONS[operation];
  const limit = AbortSignal.timeout(WAIT_MS_MAX);
  try {
    const response = await fetch(addressOf(path, call), {
      method,
      headers: {
        Accept: "application/json",
        ...(call.json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(call.idempotencyKey === undefined ? {} : { "Idempotency-Key": call.idempotencyKey }),
      },
      ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
      signal: call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]),
    });
    const text = await response.text();
    if (!response.ok) throw toApiError(readRefusal(response, text));
    const read = readData<Operations[Id]["data"]>(text);
    if (read === null) throw new ConnectionError("The answer is not a whole one of the API's.");
    return read.data;
  } catch (error) {
    if (limit.aborted) throw new TimeoutError("No answer came in time.", { cause: error });
    // Browsers throw a `TypeError` if the connection fails.
    if (error instanceof TypeError) throw new ConnectionError("The connection failed.", { cause: error });
    throw error;
  }
}
