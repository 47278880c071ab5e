import { base64ToUint8Array } from "uint8array-extras";
import { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { mailLimitReached } from "#domains/mail/outbox.ts";
import { type Auth, libraryCodeOf } from "../sign-in/auth.ts";
import { cookiesOnly } from "../sign-in/session.ts";

/**
 * Resends the mail that confirms the address of a session's account; sends nothing for a confirmed address. 429
 * MAIL_LIMIT_REACHED when the address is at its mail limit.
 */
export async function sendConfirmation(auth: Auth, email: string, cookies: string): Promise<Outcome<void>> {
  try {
    const { results } = await auth.together(() =>
      auth.api.sendVerificationEmail({ body: { email }, headers: cookiesOnly(cookies) }),
    );
    return results.at(-1)?.meta.changes === 1 ? accept(undefined) : mailLimitReached(email);
  } catch (thrown) {
    if (libraryCodeOf(thrown) !== "EMAIL_ALREADY_VERIFIED") throw thrown;
    return accept(undefined);
  }
}

/** The library's codes for a token that is altered or expired, or whose address has no account. */
const REFUSED: readonly (string | null)[] = ["TOKEN_EXPIRED", "INVALID_TOKEN", "USER_NOT_FOUND"];

const payloadSchema = z.object({ email: z.email() });

/** The address in a token whose signature was verified (RFC 7519 §3: its second part). */
function addressOf(token: string): string {
  const payload = new TextDecoder().decode(base64ToUint8Array(token.split(".")[1] ?? ""));
  return payloadSchema.parse(JSON.parse(payload)).email;
}

/**
 * Confirms a sign-up's address with the link's token; repeating it changes nothing. LINK_INVALID for an altered or
 * expired token.
 */
export async function confirmAddress(
  auth: Auth,
  token: string,
): Promise<Outcome<{ readonly email: string }>> {
  try {
    await auth.api.verifyEmail({ query: { token }, headers: new Headers() });
  } catch (thrown) {
    if (!REFUSED.includes(libraryCodeOf(thrown))) throw thrown;
    return refuse("LINK_INVALID", "The link is altered or has expired.", {
      nextAction: "Sign in and ask for another mail.",
    });
  }
  return accept({ email: addressOf(token) });
}
