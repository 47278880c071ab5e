import { accept, type Outcome, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import { checkNewPassword } from "../password/password-rules.ts";
import { accountOfReset } from "../password/reset-store.ts";
import { type Auth, libraryCodeOf, storedIdentifier } from "./auth.ts";

/**
 * Mails a password reset link if an account with a password has the address. Takes longer in that case, so no response
 * may wait for it.
 */
export async function askForReset(auth: Auth, email: string): Promise<void> {
  await auth.together(() => auth.api.requestPasswordReset({ body: { email }, headers: new Headers() }));
}

export interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
}

const ended = () =>
  refuse("LINK_INVALID", "The link is altered, was used, or has expired.", {
    nextAction: "Ask for another mail.",
  });

/**
 * Sets a new password with a mailed link and returns the account. The link is consumed first; then one batch writes the
 * password, ends all sessions and other links, confirms the address and records an event. If that fails, the old
 * password stays and a new link is needed. LINK_INVALID for an unknown, used or expired link. INVALID_REQUEST for a
 * refused password; the link then stays valid.
 */
export async function resetPasswordByMail(
  auth: Auth,
  db: D1Database,
  { token, newPassword }: PasswordReset,
  nowMs: number,
): Promise<Outcome<{ readonly accountId: string }>> {
  const identifier = await storedIdentifier(`reset-password:${token}`);
  const account = await accountOfReset.first(latest(db), { identifier, nowMs });
  if (account === null) return ended();
  const checked = checkNewPassword("newPassword", newPassword, account.email);
  if (!checked.ok) return checked;
  try {
    await auth.api.resetPassword({ body: { token, newPassword }, headers: new Headers() });
  } catch (thrown) {
    if (libraryCodeOf(thrown) !== "INVALID_TOKEN") throw thrown;
    return ended();
  }
  return accept({ accountId: account.accountId });
}
