import type { MailLanguage } from "#api/mail-rules.ts";
import { hasAccount } from "../store.ts";
import type { Auth } from "./auth.ts";

export interface SignUpRequest {
  readonly name: string;
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  /** Of the mails to the account. */
  readonly language: MailLanguage;
  /** The browser that signs up, which is not told of as a new one; null where none is told of. */
  readonly deviceHash: string | null;
}

/**
 * Makes an account with its workspace, and the mail that asks to confirm its address where mail is configured, unless the
 * address has one: the caller cannot tell which, and both cost one hash and, with mail, one write. Of two sign-ups at
 * once the database lets one through.
 */
export async function signUp(
  auth: Auth,
  db: D1Database,
  { deviceHash, ...request }: SignUpRequest,
): Promise<void> {
  const body = { ...request, ...(deviceHash !== null && { deviceHash }) };
  try {
    await auth.api.signUpEmail({ body, headers: new Headers() });
  } catch (thrown) {
    // The other of two won, or the answer to the batch was lost: either way the account stands.
    if (!(await hasAccount(db, request.email))) throw thrown;
  }
}
