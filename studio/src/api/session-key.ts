import { callAccount } from "./account.ts";

/** A key of this page: it lives an hour, ends with the session, and is kept nowhere but in this module's memory. */
interface SessionKey {
  readonly key: string;
  readonly expiresAtMs: number;
}

const UNAUTHORIZED = 401;
/** Renewed while a request that begins now can still use it. */
const RENEW_BEFORE_MS = 300_000;

/** One request at a time asks for a workspace's key; the others wait for the same answer. */
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

/** The key of a workspace, asked for where there is none or it is about to end. Throws as `callAccount` does. */
async function sessionKeyOf(workspaceId: string): Promise<string> {
  const asked = keys.get(workspaceId) ?? askOnce(workspaceId);
  const held = await asked;
  if (held.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return held.key;
  drop(workspaceId, asked);
  return (await (keys.get(workspaceId) ?? askOnce(workspaceId))).key;
}

/** Forgets a key unless another has taken its place. */
function drop(workspaceId: string, asked: Promise<SessionKey>): void {
  if (keys.get(workspaceId) === asked) keys.delete(workspaceId);
}

/** Sends a request with the workspace's key; once more with another where the service does not take that one. */
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

/** Of many requests that a key was refused for, the first forgets it; the others find the next one. */
async function forgetKey(workspaceId: string, refused: string): Promise<void> {
  const asked = keys.get(workspaceId);
  const held = await asked?.catch(() => null);
  if (asked !== undefined && held?.key === refused) drop(workspaceId, asked);
}

/** Forgets the keys of a session that has ended. */
export const forgetSessionKeys = (): void => keys.clear();

/**
 * When a key that was asked for at a time ends, by this device's clock (Unix ms), which may be hours from the service's.
 * By the service's own times, every request of a device that is an hour ahead would ask for another key.
 */
export const keyEndMs = (
  { createdAt, expiresAt }: { readonly createdAt: string; readonly expiresAt: string },
  askedAtMs: number,
): number => askedAtMs + Date.parse(expiresAt) - Date.parse(createdAt);
