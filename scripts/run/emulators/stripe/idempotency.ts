import { refusal } from "./answers.ts";

interface Kept {
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

/** The first answer to a key, given again for the same request. https://docs.stripe.com/api/idempotent_requests */
export class IdempotentAnswers {
  readonly #answers = new Map<string, Promise<Kept>>();

  async answer(key: string | null, request: string, execute: () => Promise<Response>): Promise<Response> {
    if (key === null) return execute();
    const known = this.#answers.get(key);
    const kept = known ?? this.#execute(key, request, execute);
    const { request: first, status, body } = await kept;
    if (first !== request) {
      const message =
        "Keys for idempotent requests can only be used with the same parameters they were first used with.";
      return refusal(400, message, null, "idempotency_error");
    }
    return new Response(body, {
      status,
      headers: {
        "Content-Type": "application/json",
        ...(known === undefined ? {} : { "Idempotent-Replayed": "true" }),
      },
    });
  }

  #execute(key: string, request: string, execute: () => Promise<Response>): Promise<Kept> {
    const kept = execute().then(async (response) => ({
      request,
      status: response.status,
      body: await response.text(),
    }));
    this.#answers.set(key, kept);
    // What was refused before it began, or broke, may be asked again.
    kept.then(
      ({ status }) => status >= 400 && status !== 402 && this.#answers.delete(key),
      () => this.#answers.delete(key),
    );
    return kept;
  }
}
