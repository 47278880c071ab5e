/** A response whose body was read. */
export interface RawAnswer {
  readonly response: Response;
  /** Quote this id when you contact the operator about the request. */
  readonly requestId: string | null;
  /** The rate-limit window of the request; null if the route has none. */
  readonly rateLimit: RateLimit | null;
  /** Number of retries before this response. */
  readonly retries: number;
}

/** A rate-limit window. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

/** A response with its parsed data. */
export interface Answer<T> extends RawAnswer {
  readonly data: T;
}

/** Reads the rate-limit window from a response's headers. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
    headers.get(`X-RateLimit-${name}`),
  );
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(reset) };
}

/**
 * A promise of a response's data that also gives access to the response.
 *
 * @example
 * ```ts
 * const balance = await client.balance.get();
 * const { data, requestId, rateLimit } = await client.balance.get().withResponse();
 * const response = await client.balance.get().asResponse();
 * ```
 */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "ApiPromise";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** The data with its headers, request id and rate limit. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /** The raw response. Its body can be read once. */
  asResponse(): Promise<Response> {
    return this.#answer.then(({ response }) => response);
  }

  /** The same response with its data transformed. */
  map<U>(change: (data: T) => U): ApiPromise<U> {
    return new ApiPromise(this.#answer.then((answer) => ({ ...answer, data: change(answer.data) })));
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
