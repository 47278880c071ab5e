import { type Answer, ApiPromise, type RawAnswer, rateLimitOf } from "./api-promise.ts";
import { ConnectionError, CreativePacksError, TimeoutError, toApiError } from "./errors.ts";
import type { Operations } from "./generated/operations.ts";
import { CallLog } from "./logger.ts";
import type { Settings } from "./options.ts";
import { readData, readRefusal } from "./read-answer.ts";
import {
  type Call,
  isRepeatable,
  type OperationId,
  type PreparedRequest,
  prepareRequest,
} from "./request.ts";
import { mayRetry, retryWaitMs } from "./retry-rules.ts";
import { type AttemptLimit, abortedBy, limitAttempt, throwIfAborted, wait } from "./waiting.ts";

/** Reads a successful response. Throws a `ConnectionError` if it is incomplete, so that the call is retried. */
type ReadAnswer<T> = (response: Response, limit: AttemptLimit) => Promise<Answer<T>>;

const BOOKMARK_HEADER = "X-D1-Bookmark";

/** Sends calls with retries and reads their responses. */
export class Transport {
  readonly settings: Settings;
  /** The latest database bookmark in any response. It is sent with reads, so that they see earlier writes. */
  #bookmark: string | null = null;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** An operation with a JSON response. */
  json<Id extends OperationId>(call: Call<Id>): ApiPromise<Operations[Id]["data"]> {
    return new ApiPromise(this.#send<Operations[Id]["data"]>(call, readJson));
  }

  /** An operation with an empty response. */
  empty(call: Call): ApiPromise<undefined> {
    return new ApiPromise(
      this.#send(call, async (response) => ({ ...rawAnswer(response, response), data: undefined })),
    );
  }

  /** An operation that returns bytes. If `findFault` returns a fault, the bytes are requested again. */
  bytes(
    call: Call,
    findFault: (bytes: Uint8Array<ArrayBuffer>, headers: Headers) => Promise<string | null> = async () =>
      null,
  ): ApiPromise<Uint8Array<ArrayBuffer>> {
    return new ApiPromise(
      this.#send(call, async (response) => {
        const bytes = new Uint8Array(await response.arrayBuffer());
        const fault = await findFault(bytes, response.headers);
        if (fault !== null) throw new ConnectionError(fault);
        return { ...rawAnswer(response, new Response(bytes, response)), data: bytes };
      }),
    );
  }

  /** An operation that streams bytes. Once the stream has started, only the caller's signal aborts it. */
  stream(call: Call): ApiPromise<ReadableStream<Uint8Array>> {
    return new ApiPromise(
      this.#send(call, async (response, limit) => {
        if (response.body === null) throw new ConnectionError("The answer has no body.");
        limit.keepSignal();
        return { ...rawAnswer(response, response), data: response.body };
      }),
    );
  }

  /** Sends the call at once, even if its promise is never awaited. */
  async #send<T>(call: Call, read: ReadAnswer<T>): Promise<Answer<T>> {
    const { signal, maxRetries = this.settings.maxRetries } = call.options;
    const request = prepareRequest(call, this.settings, this.#bookmark);
    const log = new CallLog(this.settings, call);
    for (let retries = 0; ; retries += 1) {
      throwIfAborted(signal);
      log.started();
      try {
        const answer = await this.#try(call, request, read);
        log.succeeded(answer.response);
        return { ...answer, retries };
      } catch (error) {
        const mayPass = retries < maxRetries && mayRetry(error, isRepeatable(call.operation));
        const waitMs = mayPass ? retryWaitMs(error, retries, this.settings) : null;
        log.failed(error, waitMs);
        if (waitMs === null) throw error;
        await wait(waitMs, signal);
      }
    }
  }

  async #try<T>(call: Call, { url, init }: PreparedRequest, read: ReadAnswer<T>): Promise<Answer<T>> {
    const { signal, timeoutMs = this.settings.timeoutMs } = call.options;
    const limit = limitAttempt(timeoutMs, signal);
    try {
      const response = await this.settings.fetch(url, { ...init(), signal: limit.signal });
      this.#keepBookmark(response.headers);
      if (!response.ok) throw toApiError(readRefusal(response, await response.text()));
      return await read(response, limit);
    } catch (error) {
      if (signal?.aborted) throw abortedBy(signal);
      if (limit.isTimeUp()) {
        throw new TimeoutError(`No answer came within ${timeoutMs} ms.`, { cause: error });
      }
      // Platforms throw many kinds of errors if a connection fails or a response is truncated.
      if (error instanceof CreativePacksError) throw error;
      throw new ConnectionError(connectionMessage(error), { cause: error });
    } finally {
      limit.release();
    }
  }

  /** Keeps the latest bookmark. Bookmarks sort alphabetically by age. */
  #keepBookmark(headers: Headers): void {
    const bookmark = headers.get(BOOKMARK_HEADER);
    if (bookmark !== null && (this.#bookmark === null || bookmark > this.#bookmark))
      this.#bookmark = bookmark;
  }
}

/**
 * Base of all resources. The transport is private because it contains the key, which must not appear when a client is
 * printed.
 */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected get transport(): Transport {
    return this.#transport;
  }
}

function connectionMessage(error: unknown): string {
  const reason = error instanceof Error ? reasonOf(error) : String(error);
  return `The connection failed: ${reason}`;
}

/** Appends the message of the cause, where Node.js puts the reason. */
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error && cause.message !== "" ? `${message} (${cause.message})` : message;

const rawAnswer = ({ headers }: Response, response: Response): RawAnswer => ({
  response,
  requestId: headers.get("X-Request-ID"),
  rateLimit: rateLimitOf(headers),
  retries: 0,
});

async function readJson<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  const read = readData<T>(text);
  if (read === null) throw new ConnectionError("The answer is not a complete answer of the API.");
  const { status, statusText, headers } = response;
  return { ...rawAnswer(response, new Response(text, { status, statusText, headers })), data: read.data };
}
