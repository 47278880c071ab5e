/** An answer as it came, with its body read. */
export interface RawAnswer {
  readonly response: Response;
  /** What to name when you ask the operator about the request. */
  readonly requestId: string | null;
  /** How the window stands that the request counted in; null where the route has none. */
  readonly rateLimit: RateLimit | null;
  /** How often the request was sent again before this answer came. */
  readonly retries: number;
}

/** A window of requests. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

/** An answer with what it says. */
export interface Answer<T> extends RawAnswer {
  readonly data: T;
}

/** The window of an answer's headers. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
    headers.get(`X-RateLimit-${name}`),
  );
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(reset) };
}

/**
 * A promise of what an answer says, with the answer at hand.
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

  /** What the answer says, with its headers, request id and rate limit. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /** The answer as it came; its body can be read once. */
  asResponse(): Promise<Response> {
    return this.#answer.then(({ response }) => response);
  }

  /** The same answer, saying something made of it. */
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
