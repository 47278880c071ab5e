import type { Auth } from "./auth.ts";
import { hasAccount } from "./store.ts";

export interface SignUpRequest {
  readonly name: string;
  /** Lower case. */
  readonly email: string;
  readonly password: string;
}

/**
 * Makes an account with its workspace, unless the address has one: the caller cannot tell which, and both cost one
 * hash. Of two sign-ups at once the database lets one through.
 */
export async function signUp(auth: Auth, db: D1Database, request: SignUpRequest): Promise<void> {
  try {
    await auth.api.signUpEmail({ body: { ...request }, headers: new Headers() });
  } catch (thrown) {
    // The other of two won, or the answer to the batch was lost: either way the account stands.
    if (!(await hasAccount(db, request.email))) throw thrown;
  }
}
