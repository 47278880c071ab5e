import { accept, type Outcome } from "#api/errors.ts";
import { AGENT_SCOPES, type Scope } from "#api/scopes.ts";
import { type AgentClient, isRegistered } from "./client.ts";
import { agentRefused, type ClientLookup, findClient } from "./find-client.ts";

/** OAuth 2.1 authorization requests with PKCE, RFC 8707 and RFC 9207. */

/** Error codes of RFC 6749 §4.1.2.1 and RFC 8707 §2 for the client. */
type RequestError =
  | "access_denied"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_response_type";

export interface AuthorizationRequest {
  readonly client: AgentClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  /** The error to send to the client; null for a request that the user may allow. */
  readonly error: RequestError | null;
}

/** Whether a `resource` is this service's endpoint for agents (RFC 8707 §2); host and scheme are case-insensitive. */
export const isOwnResource = (issuer: string, resource: string): boolean =>
  URL.canParse(resource) && new URL(resource).href === `${issuer}/mcp`;

/**
 * The requested scopes that an agent may have; other scopes are dropped. If none is requested, all scopes that an agent
 * may have.
 */
const scopesOf = (asked: string | null): readonly Scope[] =>
  asked === null ? AGENT_SCOPES : AGENT_SCOPES.filter((scope) => asked.split(" ").includes(scope));

/**
 * Parses the query of an authorization request. Refuses AGENT_REFUSED for an unknown client or redirect URI, to which
 * the user must not be redirected; any other fault is an `error` for the client.
 */
export async function readAuthorizationRequest(
  lookup: ClientLookup,
  issuer: string,
  text: string,
): Promise<Outcome<AuthorizationRequest>> {
  const query = new URLSearchParams(text);
  const isRepeated = [...query.keys()].length !== new Set(query.keys()).size;
  const client = await findClient(lookup, query.get("client_id") ?? "");
  if (!client.ok) return client;
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!isRegistered(client.value, redirectUri)) {
    return agentRefused("The client did not register this redirect_uri.");
  }
  const scopes = scopesOf(query.get("scope"));
  const challenge = query.get("code_challenge") ?? "";
  const error = ((): RequestError | null => {
    if (isRepeated) return "invalid_request";
    if (query.get("response_type") !== "code") return "unsupported_response_type";
    if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
      return "invalid_request";
    if (!isOwnResource(issuer, query.get("resource") ?? "")) return "invalid_target";
    return scopes.length === 0 ? "invalid_scope" : null;
  })();
  return accept({ client: client.value, redirectUri, state: query.get("state"), challenge, scopes, error });
}

/** The redirect URI with the response: a code or an error, the state, and the issuer (RFC 9207). */
export function answerAddress(
  issuer: string,
  { redirectUri, state }: AuthorizationRequest,
  answer: { readonly code: string } | { readonly error: RequestError },
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}
