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
import { createHooks, DEVICE_MEMBER } from "./better-auth-hooks.ts";
import { cookieNameOf, isSecureOrigin, STATE_COOKIE } from "./session-cookie.ts";

/** Under which paths a provider sends people back; the library appends `/callback/<provider>`. */
const OAUTH_PATH = "/api/account/oauth";

/** A person as the library hands them over with a token. */
interface TokenFor {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly token: string;
}

/**
 * What the library does with the tokens that it makes: each becomes a mail in the outbox, in the batch of what the library
 * writes with it. Without mail it makes none.
 */
function mailingsOf(db: D1Database, writer: Writer, mail: AccountMail) {
  const statementOf = (kind: "confirm-address" | "reset-password", { user, token }: TokenFor) => {
    const { name, email } = user;
    return linkMailStatement(db, mail, kind, { name, email, language: languageOf(user) }, token, clock.now());
  };
  return {
    confirmAddress: async (sent: TokenFor) => writer.write([await statementOf("confirm-address", sent)]),
    /** Nobody learns from the time of the answer that an address has an account: the same is made, and not written. */
    signUpAgain: async (sent: TokenFor) => {
      await statementOf("confirm-address", sent);
      await db.batch([writeNothing.bind(db, { accountId: sent.user.id })]);
    },
    /** An account that a provider vouches for has no password that could be another. */
    resetPassword: async (sent: TokenFor) => {
      const password = await passwordHashById.first(latest(db), { accountId: sent.user.id });
      if (password !== null) await writer.write([await statementOf("reset-password", sent)]);
    },
  };
}

/** The identifier of a verification as it is stored: who reads the database cannot use it. */
export const storedIdentifier = (identifier: string): Promise<string> => sha256Hex(identifier);

const seconds = (ms: number): number => ms / 1_000;

const loadLibrary = loadOnce(() =>
  Promise.all([import("better-auth/minimal"), import("better-auth/adapters"), import("better-auth/api")]),
);

/** The sign-in library, set up for one origin. It is loaded at the first request that needs it, never at start. */
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
      // No session comes of a sign-up, and a taken address answers as a free one does; see README.md.
      autoSignIn: false,
      minPasswordLength: LIMITS.passwordCharactersMin,
      maxPasswordLength: LIMITS.passwordCharactersMax,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: seconds(LIMITS.passwordResetLifetimeMs),
      // In the batch of the new password already; see better-auth-hooks.ts.
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
        [DEVICE_MEMBER]: { type: "string", required: false, returned: false },
      },
    },
    // Expired ones are swept.
    verification: { storeIdentifier: { hash: storedIdentifier }, disableCleanup: true },
    socialProviders: Object.fromEntries(providers),
    account: {
      // A provider's word on an address opens no account that stands: who has its password decides.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      storeStateStrategy: "cookie",
    },
    session: { expiresIn: seconds(LIMITS.sessionLifetimeMs) },
    advanced: {
      // The prefix __Host- is put on here, where the library would put __Secure-.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      cookies: {
        session_token: { name: cookieNameOf(origin) },
        oauth_state: { name: cookieNameOf(origin, STATE_COOKIE) },
      },
      database: { generateId: () => newId() },
      ipAddress: { disableIpTracking: true },
    },
    // Windows are counted by the service's own counters, lines are written by its own log.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
  // The library sets itself up in a promise of its own; it must not be one that this request alone can settle.
  await auth.$context;
  return { api: auth.api, together: writer.together };
}

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Origins an isolate keeps the library set up for: its own, and those of a few host names. */
const ORIGINS_KEPT_MAX = 4;

/**
 * The library for an origin of this service, kept in `opened`. Only one that stands is kept: a request that is cut off while it sets the
 * library up leaves nothing that others would wait for.
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
  if (opened.size >= ORIGINS_KEPT_MAX) opened.clear();
  opened.set(origin, made);
  return made;
}

/** The code by which the library refuses, or null for anything else that was thrown. */
export function libraryCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || thrown.name !== "APIError" || !("body" in thrown)) return null;
  const { body } = thrown;
  const hasCode = typeof body === "object" && body !== null && "code" in body;
  return hasCode && typeof body.code === "string" ? body.code : null;
}
