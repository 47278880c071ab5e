import { callAccount } from "./account.ts";

/** The page's API key: valid for an hour, ends with the session, kept in this module's memory only. */
interface SessionKey {
  readonly key: string;
  readonly expiresAtMs: number;
}

const UNAUTHORIZED = 401;
/** Renewed early enough for a request that starts now. */
const RENEW_BEFORE_MS = 300_000;

/** One pending key request per workspace; concurrent callers share it. */
const keys = new Map<string, Promise<SessionKey>>();

function askOnce(workspaceId: string): Promise<SessionKey> {
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
 * Returns the workspace's key; requests one if there is none or it is about to expire. Throws as `callAccount` does.
 */
async function sessionKeyOf(workspaceId: string): Promise<string> {
  const asked = keys.get(workspaceId) ?? askOnce(workspaceId);
  const held = await asked;
  if (held.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return held.key;
  drop(workspaceId, asked);
  return (await (keys.get(workspaceId) ?? askOnce(workspaceId))).key;
}

/** Drops a key unless another has replaced it. */
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
  await forgetKey(workspaceId, key);
  return send(await sessionKeyOf(workspaceId));
}

/** When a key is rejected for many requests, the first drops it and the others use the next one. */
async function forgetKey(workspaceId: string, refused: string): Promise<void> {
  const asked = keys.get(workspaceId);
  const held = await asked?.catch(() => null);
  if (asked !== undefined && held?.key === refused) drop(workspaceId, asked);
}

/** Drops the keys of an ended session. */
export const dropSessionKeys = (): void => keys.clear();

/**
 * Expiry of a requested key by this device's clock (Unix ms), which may be hours off. If the service's timestamp were
 * compared with that clock, a device one hour ahead would request a key for every call.
 */
export const keyEndMs = (
  { createdAt, expiresAt }: { readonly createdAt: string; readonly expiresAt: string },
  askedAtMs: number,
): number => askedAtMs + Date.parse(expiresAt) - Date.parse(createdAt);
