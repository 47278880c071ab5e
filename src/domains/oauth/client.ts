import { base64ToString, stringToBase64, uint8ArrayToBase64 } from "uint8array-extras";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { equalsInConstantTime, hmacSha256 } from "#platform/crypto/hashing.ts";

/** OAuth clients: metadata, ids and redirect URIs. Pure rules. */

export interface AgentClient {
  readonly clientId: string;
  /** The client's own, unverified name. */
  readonly name: string;
  /** The host of its metadata document, which vouches for the name; null for a self-registered client. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

const REDIRECT_URI_CHARACTERS_MAX = 512;
const REDIRECT_URIS_MAX = 10;
const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && LOOPBACK_HOSTS.includes(hostname);

/**
 * Whether codes may be sent to this URI: an https URL, or a loopback address on the user's machine (RFC 8252 §7.3).
 */
function isRedirectUri(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || /[^\x21-\x7e]|#/.test(text) || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopback(url);
}

const withoutPort = (url: URL): string => Object.assign(new URL(url), { port: "" }).href;

/** Whether a redirect URI is one of the client's: identical except for the port of a loopback address. */
export const isRegistered = ({ redirectUris }: AgentClient, asked: string): boolean =>
  redirectUris.includes(asked) ||
  (isRedirectUri(asked) &&
    isLoopback(new URL(asked)) &&
    redirectUris.some((uri) => withoutPort(new URL(uri)) === withoutPort(new URL(asked))));

const redirectUriSchema = z
  .string()
  .max(REDIRECT_URI_CHARACTERS_MAX)
  .refine(isRedirectUri, "must be https, or http on a loopback host, without a fragment");

/** The fields of RFC 7591 §2 that matter here; clients may send others. */
export const clientMetadataSchema = z.object({
  // Users read it, so it has no control or bidirectional characters.
  client_name: z
    .string()
    .trim()
    .transform((name) => name.replace(/[\p{C}\p{Z}]+/gu, " ").slice(0, LIMITS.keyNameCharactersMax))
    .optional(),
  redirect_uris: z.array(redirectUriSchema).min(1).max(REDIRECT_URIS_MAX),
});

export type ClientMetadata = z.infer<typeof clientMetadataSchema>;

/** The name to show; defaults to the host of the first redirect URI. */
export const nameOf = ({ client_name: name, redirect_uris: uris }: ClientMetadata): string =>
  name === undefined || name.trim() === "" ? new URL(uris[0] ?? "").host : name;

const PREFIX = "cpc_";
const SIGNATURE_BYTES = 16;
/** Maximum length of a client id that is decoded, a hundred times a usual client's. */
const CLIENT_ID_CHARACTERS_MAX = 8_192;

const signatureOf = async (secret: string, body: string): Promise<Uint8Array> =>
  (await hmacSha256(secret, `oauth-client:${body}`)).subarray(0, SIGNATURE_BYTES);

/**
 * The id of a self-registered client: its signed metadata (RFC 7591 §A.5.2). So a registration stores nothing, and mass
 * registrations fill no database. Identical metadata gives the same id.
 */
export async function registeredIdOf(secret: string, metadata: ClientMetadata): Promise<string> {
  const members = { n: nameOf(metadata), r: metadata.redirect_uris };
  const body = stringToBase64(JSON.stringify(members), { urlSafe: true });
  const signature = uint8ArrayToBase64(await signatureOf(secret, body), { urlSafe: true });
  return `${PREFIX}${body}.${signature}`;
}

const signedMembers = z.object({ n: z.string(), r: z.array(z.string()) });

/** The self-registered client with this id; null for any other text or signature. */
export async function readRegisteredId(secret: string, clientId: string): Promise<AgentClient | null> {
  if (clientId.length > CLIENT_ID_CHARACTERS_MAX) return null;
  const [, body, signature] = /^cpc_([\w-]+)\.([\w-]{22})$/.exec(clientId) ?? [];
  if (body === undefined || signature === undefined) return null;
  const expected = uint8ArrayToBase64(await signatureOf(secret, body), { urlSafe: true });
  const encoder = new TextEncoder();
  if (!equalsInConstantTime(encoder.encode(signature), encoder.encode(expected))) return null;
  const { n: name, r: redirectUris } = signedMembers.parse(JSON.parse(base64ToString(body)));
  return { clientId, name, host: null, redirectUris };
}
