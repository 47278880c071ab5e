import { ApiError } from "creative-packs";

/** Codes after which nothing was made although the same request may succeed later. */
const NOT_MADE_STATUS = [401, 402, 403, 429];
const SERVER_STATUS_MIN = 500;

/**
 * What is known after an order was answered with an error: `refused`: nothing was made, and a new order is another one.
 * `unknown`: it may have been made; only the same request with the same key may follow.
 */
export function outcomeOf(error: unknown): "refused" | "unknown" {
  if (!(error instanceof ApiError)) return "unknown";
  if (NOT_MADE_STATUS.includes(error.status)) return "refused";
  if (error.status >= SERVER_STATUS_MIN || error.code === "UNEXPECTED_ANSWER") return "unknown";
  return error.code === "IDEMPOTENCY_IN_PROGRESS" ? "unknown" : "refused";
}
