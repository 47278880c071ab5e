import type { MailLanguage } from "#api/mail-rules.ts";
import { hasAccount } from "../store.ts";
import type { Auth } from "./auth.ts";

export interface SignUpRequest {
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  /** Language of mails to the account. */
  readonly language: MailLanguage;
  /** Hash of the signing-up browser's cookie; signing in there sends no new-browser mail. Null without mail. */
  readonly deviceHash: string | null;
}

/**
 * Creates an account with its workspace, and a confirmation mail if mail is configured, unless the address already has
 * an account. The caller cannot tell which: both cost one hash and, with mail, one write. The database accepts only one
 * of two concurrent sign-ups.
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
    // A concurrent sign-up won, or the batch's response was lost; the account exists either way.
    if (!(await hasAccount(db, request.email))) throw thrown;
  }
}
