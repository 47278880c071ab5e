import { LIMITS } from "../api/limits.ts";
import { OAUTH_PROVIDERS } from "../api/oauth-providers.ts";
import type { AccountService } from "../bindings/capabilities.ts";
import { newId } from "../platform/ids.ts";
import { oncePer } from "../platform/once-per.ts";
import { betterAuthAdapter } from "./better-auth-adapter.ts";
import { createHooks } from "./better-auth-hooks.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";
import { cookieNameOf, isSecureOrigin, STATE_COOKIE } from "./session-cookie.ts";

/** Under which paths a provider sends people back; the library appends `/callback/<provider>`. */
const OAUTH_PATH = "/api/account/oauth";

/** The sign-in library, set up for one origin. It is loaded at the first request that needs it, never at start. */
async function createAuth({ db, secret, oauth }: AccountService, origin: string) {
  const [{ betterAuth }, { createAdapterFactory }] = await Promise.all([
    import("better-auth/minimal"),
    import("better-auth/adapters"),
  ]);
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
    database: betterAuthAdapter(createAdapterFactory, db, createHooks(db)),
    emailAndPassword: {
      enabled: true,
      // No session comes of a sign-up, and a taken address answers as a free one does; see README.md.
      autoSignIn: false,
      minPasswordLength: LIMITS.passwordCharactersMin,
      maxPasswordLength: LIMITS.passwordCharactersMax,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    socialProviders: Object.fromEntries(providers),
    account: {
      // Nobody's address is verified by a mail of ours, so a provider's word on one opens no account that stands.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      storeStateStrategy: "cookie",
    },
    session: { expiresIn: LIMITS.sessionLifetimeMs / 1_000 },
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
  return auth;
}

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Origins an isolate keeps the library set up for: its own, and those of a few host names. */
const ORIGINS_KEPT_MAX = 4;

const openedFor = oncePer((_: AccountService) => new Map<string, Auth>());

/**
 * The library for an origin of this service. Only one that stands is kept: a request that is cut off while it sets the
 * library up leaves nothing that others would wait for.
 */
export async function openAuth(service: AccountService, origin: string): Promise<Auth> {
  const byOrigin = openedFor(service);
  const found = byOrigin.get(origin);
  if (found !== undefined) return found;
  const opened = await createAuth(service, origin);
  if (byOrigin.size >= ORIGINS_KEPT_MAX) byOrigin.clear();
  byOrigin.set(origin, opened);
  return opened;
}

/** The code by which the library refuses, or null for anything else that was thrown. */
export function libraryCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || thrown.name !== "APIError" || !("body" in thrown)) return null;
  const { body } = thrown;
  const hasCode = typeof body === "object" && body !== null && "code" in body;
  return hasCode && typeof body.code === "string" ? body.code : null;
}
