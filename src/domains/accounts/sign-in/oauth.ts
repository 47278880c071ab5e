import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { OAuthProvider } from "#api/oauth-providers.ts";
import { type Auth, libraryCodeOf } from "./auth.ts";
import { type OpenedSession, openSession } from "./session.ts";

/** The URL of the provider's page, and the cookies that tie the callback to this browser. */
export interface OAuthStart {
  readonly url: string;
  readonly setCookies: readonly string[];
}

/** Starts a sign-in with a provider that is configured for this origin. */
export async function startOAuth(auth: Auth, provider: OAuthProvider): Promise<OAuthStart> {
  const { headers, response } = await auth.api.signInSocial({
    body: { provider, disableRedirect: true },
    headers: new Headers(),
    returnHeaders: true,
  });
  if (response.url === undefined) throw new Error("the library names no address of the provider");
  return { url: response.url, setCookies: headers.getSetCookie() };
}

/** Parameters of a provider's callback. */
export interface OAuthReturn {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly iss?: string | undefined;
}

/**
 * Finishes a sign-in with a provider by exchanging its code. OAUTH_REFUSED when another browser started it, the
 * provider refuses, or the address already has an account with another way to sign in.
 */
export async function finishOAuth(
  auth: Auth,
  provider: OAuthProvider,
  query: OAuthReturn,
  cookies: string,
): Promise<Outcome<OpenedSession>> {
  try {
    const answer = await auth.api.callbackOAuth({
      method: "GET",
      params: { id: provider },
      query: { ...query },
      headers: new Headers({ cookie: cookies }),
      asResponse: true,
    });
    const error = errorOf(answer);
    if (error === "internal_server_error") throw new Error("the sign-in with a provider failed on our side");
    if (error !== null) return refused();
    const setCookies = answer.headers.getSetCookie();
    return accept(await openSession(auth, setCookies));
  } catch (thrown) {
    if (libraryCodeOf(thrown) === null) throw thrown;
    return refused();
  }
}

/** The error in the library's redirect URL; null when there is none. */
const errorOf = (answer: Response): string | null =>
  new URL(answer.headers.get("Location") ?? "/?error=", "https://any").searchParams.get("error");

const refused = () => refuse("OAUTH_REFUSED", "The sign-in with the provider did not succeed.");
