import type { Context } from "hono";
import { AGENT_SCOPES } from "#api/scopes.ts";
import { isOwnResource } from "#domains/oauth/authorization-request.ts";
import { clientMetadataSchema, nameOf, registeredIdOf } from "#domains/oauth/client.ts";
import { exchangeGrant, revokeToken } from "#domains/oauth/exchange-grant.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import { MCP_PATH } from "../http/agent-challenge.ts";
import { countNetwork } from "../http/client-network.ts";
import type { AppEnv } from "../http/context.ts";
import { RefusedRequest } from "../http/envelope.ts";
import { readLimitedText } from "../http/json-body.ts";
import { publicOrigin } from "../http/origin.ts";
import { requireCapability } from "../http/require-capability.ts";

/**
 * OAuth answers in the formats of the RFCs, never in the API's envelope: metadata, registration, tokens and revocation.
 */

type Status = 400 | 401 | 429 | 500 | 501 | 503;

function refuse(c: Context<AppEnv>, error: string, description: string, status: Status = 400): Response {
  c.set("errorCode", error);
  return c.json({ error, error_description: description }, status);
}

/** RFC 9728. Lists all scopes that tools need, so that an agent asks its user once. */
export const describeResource = (c: Context<AppEnv>): Response => {
  const origin = publicOrigin(c);
  return c.json({
    resource: `${origin}${MCP_PATH}`,
    resource_name: "Creative Packs",
    authorization_servers: [origin],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ["header"],
    resource_documentation: `${origin}/docs/guides/mcp`,
  });
};

/** RFC 8414, with the members of RFC 9207 and of the draft of client ID metadata documents. */
export const describeServer = (c: Context<AppEnv>): Response => {
  const origin = publicOrigin(c);
  return c.json({
    issuer: origin,
    authorization_endpoint: `${origin}/connect`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    scopes_supported: AGENT_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${origin}/docs/guides/mcp`,
  });
};

const BODY_BYTES_MAX = 16_384;

/**
 * Counts the request by its network, and passes its body to `answer`. Answers errors in the format of RFC 6749 §5.2.
 */
async function answerBody(
  c: Context<AppEnv>,
  type: string,
  answer: (text: string) => Promise<Response>,
): Promise<Response> {
  try {
    await countNetwork(c, requireCapability(c, "accounts").secret, "oauth");
    const isOfType = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() === type;
    if (!isOfType) return refuse(c, "invalid_request", `The body must be sent with Content-Type: ${type}.`);
    const text = await readLimitedText(c, {
      bytesMax: BODY_BYTES_MAX,
      discardedBytesMax: 4 * BODY_BYTES_MAX,
    });
    if (text === null)
      return refuse(c, "invalid_request", `The body is larger than ${BODY_BYTES_MAX} bytes.`);
    return await answer(text);
  } catch (thrown) {
    if (thrown instanceof RefusedRequest) return refuseThrown(c, thrown);
    if (isMovingError(thrown)) {
      c.header("Retry-After", "2");
      return refuse(
        c,
        "temporarily_unavailable",
        "The workspace is being moved. Try again in a moment.",
        503,
      );
    }
    log.failure({ event: "request_failed", operation: c.get("operation") }, thrown);
    return refuse(c, "server_error", "Something failed on our side.", 500);
  }
}

function refuseThrown(c: Context<AppEnv>, { refusal }: RefusedRequest): Response {
  const { code, message, retryAfterSeconds } = refusal;
  if (code === "BODY_INCOMPLETE") return refuse(c, "invalid_request", message);
  if (retryAfterSeconds !== undefined)
    c.header("Retry-After", String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return refuse(c, "temporarily_unavailable", message, code === "RATE_LIMITED" ? 429 : 501);
}

/** RFC 7591. Every client is public, whatever it requests: PKCE protects its codes, so it needs no secret. */
export const register = (c: Context<AppEnv>): Promise<Response> =>
  answerBody(c, "application/json", async (text) => {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return refuse(c, "invalid_client_metadata", "The body is not valid JSON.");
    }
    const metadata = clientMetadataSchema.safeParse(body);
    if (!metadata.success) {
      const [issue] = metadata.error.issues;
      const isOfUri = issue?.path[0] === "redirect_uris";
      const words = `${issue?.path.join(".")}: ${issue?.message}`;
      return refuse(c, isOfUri ? "invalid_redirect_uri" : "invalid_client_metadata", words);
    }
    return c.json(
      {
        client_id: await registeredIdOf(requireCapability(c, "accounts").secret, metadata.data),
        client_name: nameOf(metadata.data),
        redirect_uris: metadata.data.redirect_uris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      201,
    );
  });

const answerForm = (
  c: Context<AppEnv>,
  answer: (form: URLSearchParams, clientId: string) => Promise<Response>,
): Promise<Response> =>
  answerBody(c, "application/x-www-form-urlencoded", async (text) => {
    const form = new URLSearchParams(text);
    if ([...form.keys()].length !== new Set(form.keys()).size) {
      return refuse(c, "invalid_request", "A parameter is repeated.");
    }
    const clientId = form.get("client_id");
    if (clientId === null) return refuse(c, "invalid_client", "The client_id is missing.", 401);
    return answer(form, clientId);
  });

const GRANTS = [
  { type: "authorization_code", kind: "code", parameter: "code" },
  { type: "refresh_token", kind: "refresh", parameter: "refresh_token" },
] as const;

/** RFC 6749 §4.1.3, RFC 6749 §6, RFC 7636, RFC 8707. */
export const issueTokens = (c: Context<AppEnv>): Promise<Response> =>
  answerForm(c, async (form, clientId) => {
    const known = GRANTS.find(({ type }) => type === form.get("grant_type"));
    if (known === undefined)
      return refuse(c, "unsupported_grant_type", "Use authorization_code or refresh_token.");
    const resource = form.get("resource");
    if (resource !== null && !isOwnResource(publicOrigin(c), resource)) {
      return refuse(c, "invalid_target", `Tokens are for ${publicOrigin(c)}${MCP_PATH} only.`);
    }
    const asked = {
      kind: known.kind,
      grant: form.get(known.parameter) ?? "",
      clientId,
      redirectUri: form.get("redirect_uri"),
      verifier: form.get("code_verifier"),
      scope: known.kind === "refresh" ? form.get("scope") : null,
    };
    const given = await exchangeGrant(requireCapability(c, "database"), asked, c.get("nowMs"));
    if (!given.ok) {
      if (given.revokedKeyId !== undefined) c.env.recentKeys.delete(given.revokedKeyId);
      return refuse(c, given.error, given.description);
    }
    c.env.recentKeys.delete(given.apiKeyId);
    c.header("Cache-Control", "no-store");
    return c.json({
      access_token: given.accessToken,
      token_type: "Bearer",
      expires_in: given.expiresInSeconds,
      refresh_token: given.refreshToken,
      scope: given.scopes.join(" "),
    });
  });

/** RFC 7009: 200 also for an unknown token. */
export const revoke = (c: Context<AppEnv>): Promise<Response> =>
  answerForm(c, async (form, clientId) => {
    const database = requireCapability(c, "database");
    const revokedKeyId = await revokeToken(database, form.get("token") ?? "", clientId, c.get("nowMs"));
    if (revokedKeyId !== null) c.env.recentKeys.delete(revokedKeyId);
    return c.body(null, 200);
  });
