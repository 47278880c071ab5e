import { ApiError, CreativePacks, CreativePacksError } from "../../../sdk/src/index.ts";
import { Failure } from "../../local/failure.ts";

/** A client of the local service. */
export const openClient = (baseUrl: string, apiKey: string): CreativePacks =>
  new CreativePacks({ baseUrl, apiKey });

/** Converts an error that a user can fix to a Failure with the service's message; null for a defect. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof ApiError) {
    const { status, code, message, nextAction, requestId } = thrown;
    return new Failure(
      `The service refused with ${status} ${code}: ${message} ${nextAction} (request ${requestId})`,
    );
  }
  return thrown instanceof CreativePacksError ? new Failure(thrown.message) : null;
}
