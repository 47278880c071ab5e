import { LIMITS } from "#api/limits.ts";
import { OAUTH_PROVIDERS } from "#api/oauth-providers.ts";
import type { AccountService } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { type AccountMail, languageOf, linkMailStatement } from "../account-mail.ts";
import { hashPassword, verifyPassword } from "../password/password-hash.ts";
import { passwordHashById, writeNothing } from "../store.ts";
import { betterAuthAdapter, createWriter, type Writer } from "./better-auth-adapter.ts";
import { createHooks, DEVICE_FIELD } from "./better-auth-hooks.ts";
import { cookieNameOf, isSecureOrigin, STATE_COOKIE } from "./session-cookie.ts";

/** Base of the redirect URIs; the library appends `/callback/<provider>`. */
const OAUTH_PATH = "/api/account/oauth";

/** The library's record of a user and a token. */
interface TokenFor {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly token: string;
}

/**
 * Turns each token that the library makes into a mail in the outbox, in the library's own batch. If mail is not
 * configured, the library makes no tokens.
 */
function mailingsOf(db: D1Database, writer: Writer, mail: AccountMail) {
  const statementOf = (kind: "confirm-address" | "reset-password", { user, token }: TokenFor) => {
    const { name, email } = user;
    return linkMailStatement(db, mail, kind, { name, email, language: languageOf(user) }, token, clock.now());
  };
  return {
    confirmAddress: async (sent: TokenFor) => writer.write([await statementOf("confirm-address", sent)]),
    /**
     * Does the work of `confirmAddress` for a sign-up with a taken address, but sends no mail, so that timing does not
     * reveal the account.
     */
    signUpAgain: async (sent: TokenFor) => {
      await statementOf("confirm-address", sent);
      await db.batch([writeNothing.bind(db, { accountId: sent.user.id })]);
    },
    /** An account with only a provider login has no password to reset. */
    resetPassword: async (sent: TokenFor) => {
      const password = await passwordHashById.first(latest(db), { accountId: sent.user.id });
      if (password !== null) await writer.write([await statementOf("reset-password", sent)]);
    },
  };
}

/** Hashes a verification's identifier, so that a reader of the database cannot use it. */
export const storedIdentifier = (identifier: string): Promise<string> => sha256Hex(identifier);

const seconds = (ms: number): number => ms / 1_000;

const loadLibrary = loadOnce(() =>
  Promise.all([import("better-auth/minimal"), import("better-auth/adapters"), import("better-auth/api")]),
);

/** Sets up the sign-in library for one origin. Loaded by the first request that needs it, never at start. */
async function createAuth(
  { db, databases, secret, oauth }: AccountService,
  origin: string,
  mail: AccountMail | null,
) {
  const [{ betterAuth }, { createAdapterFactory }, { createEmailVerificationToken }] = await loadLibrary();
  const writer = createWriter(db);
  const mailings = mail && mailingsOf(db, writer, mail);
  const confirmationSeconds = seconds(LIMITS.confirmationLifetimeMs);
  const isSecure = isSecureOrigin(origin);
  const providers = OAUTH_PROVIDERS.flatMap((provider) => {
    const application = oauth[provider];
    return application === null ? [] : [[provider, { ...application }] as const];
  });
  const auth = betterAuth({
    appName: "Creative Packs",
    baseURL: origin,
    basePath: OAUTH_PATH,
    secret,
    database: betterAuthAdapter(createAdapterFactory, db, writer, createHooks(databases)),
    emailAndPassword: {
      enabled: true,
      // A sign-up opens no session, so that a taken address gets the same response as a free one; see README.md.
      autoSignIn: false,
      minPasswordLength: LIMITS.passwordCharactersMin,
      maxPasswordLength: LIMITS.passwordCharactersMax,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: seconds(LIMITS.passwordResetLifetimeMs),
      // Redundant: the batch that writes the new password ends the sessions (better-auth-hooks.ts).
      revokeSessionsOnPasswordReset: true,
      ...(mailings && {
        sendResetPassword: mailings.resetPassword,
        onExistingUserSignUp: async ({ user }: Pick<TokenFor, "user">) => {
          const token = await createEmailVerificationToken(
            secret,
            user.email,
            undefined,
            confirmationSeconds,
          );
          await mailings.signUpAgain({ user, token });
        },
      }),
    },
    ...(mailings && {
      emailVerification: {
        sendVerificationEmail: mailings.confirmAddress,
        sendOnSignUp: true,
        expiresIn: confirmationSeconds,
      },
    }),
    user: {
      additionalFields: {
        language: { type: "string", required: false, defaultValue: "en" },
        [DEVICE_FIELD]: { type: "string", required: false, returned: false },
      },
    },
    // The sweep deletes expired verifications.
    verification: { storeIdentifier: { hash: storedIdentifier }, disableCleanup: true },
    socialProviders: Object.fromEntries(providers),
    account: {
      // A provider's login never signs in to an existing account with the same address, which may be another person's.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      storeStateStrategy: "cookie",
    },
    session: { expiresIn: seconds(LIMITS.sessionLifetimeMs) },
    advanced: {
      // Our own cookie names have the prefix __Host-; the library would use __Secure-.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      cookies: {
        session_token: { name: cookieNameOf(origin) },
        oauth_state: { name: cookieNameOf(origin, STATE_COOKIE) },
      },
      database: { generateId: () => newId() },
      ipAddress: { disableIpTracking: true },
    },
    // The service has its own rate limits and log.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
  // The library initializes itself in a promise; await it here, so that it does not depend on this request.
  await auth.$context;
  return { api: auth.api, together: writer.together };
}

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Maximum number of library instances per isolate. Each origin has one, and a service has few origins. */
const ORIGINS_CACHED_MAX = 4;

/**
 * The library instance for an origin of this service, cached in `opened`. Only a finished instance is cached, so that
 * an aborted request leaves no pending promise for others.
 */
export async function openAuth(
  opened: Map<string, Auth>,
  service: AccountService,
  origin: string,
  encryption: AccountMail["encryption"] | null,
): Promise<Auth> {
  const found = opened.get(origin);
  if (found !== undefined) return found;
  const made = await createAuth(service, origin, encryption && { encryption, origin });
  if (opened.size >= ORIGINS_CACHED_MAX) opened.clear();
  opened.set(origin, made);
  return made;
}

/** The library's error code, or null for any other exception. */
export function libraryCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || thrown.name !== "APIError" || !("body" in thrown)) return null;
  const { body } = thrown;
  const hasCode = typeof body === "object" && body !== null && "code" in body;
  return hasCode && typeof body.code === "string" ? body.code : null;
}
