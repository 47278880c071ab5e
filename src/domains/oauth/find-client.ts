import { LRUCache } from "lru-cache";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { clock } from "#platform/clock.ts";
import { discard, httpClient, readLimited } from "#platform/outbound/http-client.ts";
import { type AddressRules, checkAddress } from "#platform/outbound/ssrf-guard.ts";
import { type AgentClient, clientMetadataSchema, nameOf, readRegisteredId } from "./client.ts";

/** Finds clients: self-registered ones, and those whose id is the URL of a metadata document. */

/** Twice the 5 KB that the draft recommends (draft-ietf-oauth-client-id-metadata-document). */
const DOCUMENT_BYTES_MAX = 10_240;
const TIMEOUT_MS = 5_000;
/** Lifetime of a cached metadata document. Changed redirect URIs take effect after it. */
const DOCUMENT_CACHE_MS = 5 * 60_000;

interface Kept {
  readonly client: AgentClient;
  readonly readAtMs: number;
}

const kept = new LRUCache<string, Kept>({ max: 200 });

/** 422 AGENT_REFUSED: the user must not be redirected to the request's URI. */
export const agentRefused = (message: string): Refusal => refuse("AGENT_REFUSED", message);

export interface ClientLookup {
  /** Signs the ids of self-registered clients. */
  readonly secret: string;
  readonly addressRules: AddressRules;
}

/** 422 AGENT_REFUSED for an unknown client, or one whose document is missing, too long or names another URL. */
export async function findClient(
  { secret, addressRules }: ClientLookup,
  clientId: string,
): Promise<Outcome<AgentClient>> {
  if (!/^https?:/.test(clientId)) {
    const registered = await readRegisteredId(secret, clientId);
    return registered === null
      ? agentRefused("No client with this id is registered here.")
      : accept(registered);
  }
  const address = checkAddress(clientId, addressRules);
  if (!address.ok) return agentRefused(`The client's id is not an acceptable URL: ${address.message}`);
  // The URL must be in canonical form, or one document would be two clients (same draft).
  if (address.value.href !== clientId || address.value.pathname === "/") {
    return agentRefused("The client's id must be a normalized address with a path.");
  }
  const known = kept.get(clientId);
  if (known !== undefined && Math.abs(clock.now() - known.readAtMs) < DOCUMENT_CACHE_MS)
    return accept(known.client);
  const read = await readDocument(address.value);
  if (read.ok) kept.set(clientId, { client: read.value, readAtMs: clock.now() });
  return read;
}

async function readDocument(address: URL): Promise<Outcome<AgentClient>> {
  const request = new Request(address, {
    headers: { Accept: "application/json" },
    // The client's id is this URL, which does not vouch for a redirect's target.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  let text: string;
  try {
    const answer = await httpClient.fetch(request);
    if (answer.status !== 200) {
      discard(answer);
      return agentRefused(`The client's metadata document answered with status ${answer.status}.`);
    }
    text = await readLimited(answer, DOCUMENT_BYTES_MAX);
  } catch {
    return agentRefused("The client's metadata document could not be read.");
  }
  return clientOf(address, text);
}

function clientOf({ href: clientId, host }: URL, text: string): Outcome<AgentClient> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return agentRefused(`The client's metadata document is not JSON of at most ${DOCUMENT_BYTES_MAX} bytes.`);
  }
  if (typeof document !== "object" || document === null || Reflect.get(document, "client_id") !== clientId) {
    return agentRefused("The client's metadata document names another client_id.");
  }
  const metadata = clientMetadataSchema.safeParse(document);
  if (!metadata.success) return agentRefused("The client's metadata document has no usable redirect_uris.");
  return accept({ clientId, name: nameOf(metadata.data), host, redirectUris: metadata.data.redirect_uris });
}
