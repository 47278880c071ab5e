import { callAccount } from "./account.ts";

/** The page's API key. It is valid for an hour, ends with the session, and is kept only in memory. */
interface SessionKey {
  readonly key: string;
  readonly expiresAtMs: number;
}

const UNAUTHORIZED = 401;
/** A key is renewed this long before it expires, so that requests in progress can finish. */
const RENEW_BEFORE_MS = 300_000;

/** Key of each workspace, or its pending request. Concurrent callers share it. */
const keys = new Map<string, Promise<SessionKey>>();

function requestKey(workspaceId: string): Promise<SessionKey> {
  const askedAtMs = Date.now();
  const asked = callAccount("createSessionKey", { path: { workspaceId } }).then((made) => ({
    key: made.secret,
    expiresAtMs: keyEndMs(made, askedAtMs),
  }));
  keys.set(workspaceId, asked);
  asked.catch(() => drop(workspaceId, asked));
  return asked;
}

/**
 * Returns the workspace's key; requests one if there is none or it is about to expire. Throws the errors of
 * `callAccount`.
 */
async function sessionKeyOf(workspaceId: string): Promise<string> {
  const asked = keys.get(workspaceId) ?? requestKey(workspaceId);
  const held = await asked;
  if (held.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return held.key;
  drop(workspaceId, asked);
  return (await (keys.get(workspaceId) ?? requestKey(workspaceId))).key;
}

/** Drops a key, unless it was already replaced. */
function drop(workspaceId: string, asked: Promise<SessionKey>): void {
  if (keys.get(workspaceId) === asked) keys.delete(workspaceId);
}

/** Sends a request with the workspace's key. If the service rejects the key, retries once with a new one. */
export async function sendWithKey(
  workspaceId: string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const key = await sessionKeyOf(workspaceId);
  const response = await send(key);
  if (response.status !== UNAUTHORIZED) return response;
  await dropRejectedKey(workspaceId, key);
  return send(await sessionKeyOf(workspaceId));
}

/**
 * Drops a rejected key. If several requests are rejected with it, only the first one drops it, and the others use the
 * new key.
 */
async function dropRejectedKey(workspaceId: string, refused: string): Promise<void> {
  const asked = keys.get(workspaceId);
  const held = await asked?.catch(() => null);
  if (asked !== undefined && held?.key === refused) drop(workspaceId, asked);
}

/** Drops the keys of an ended session. */
export const dropSessionKeys = (): void => keys.clear();

/**
 * Expiry of a requested key by this device's clock (Unix ms), which may be hours off. Calculated from the key's
 * lifetime. If the service's timestamp were used, every key would look expired to a clock that is one hour ahead.
 */
export const keyEndMs = (
  { createdAt, expiresAt }: { readonly createdAt: string; readonly expiresAt: string },
  askedAtMs: number,
): number => askedAtMs + Date.parse(expiresAt) - Date.parse(createdAt);
