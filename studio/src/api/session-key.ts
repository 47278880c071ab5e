import { callAccount } from "./account.ts";
import { keyEndMs } from "./key-end.ts";

/** A key of this page: it lives an hour, ends with the session, and is kept nowhere but in this module's memory. */
interface SessionKey {
  readonly key: string;
  readonly expiresAtMs: number;
}

/** Renewed while a request that begins now can still use it. */
const RENEW_BEFORE_MS = 300_000;

/** One request at a time asks for a workspace's key; the others wait for the same answer. */
const keys = new Map<string, Promise<SessionKey>>();

async function ask(workspaceId: string): Promise<SessionKey> {
  const askedAtMs = Date.now();
  const made = await callAccount("createSessionKey", { path: { workspaceId } });
  return { key: made.secret, expiresAtMs: keyEndMs(made, askedAtMs) };
}

function askOnce(workspaceId: string): Promise<SessionKey> {
  const asked = ask(workspaceId);
  keys.set(workspaceId, asked);
  asked.catch(() => keys.delete(workspaceId));
  return asked;
}

/** The key of a workspace, asked for where there is none or it is about to end. Throws as `callAccount` does. */
export async function sessionKeyOf(workspaceId: string): Promise<string> {
  const held = await (keys.get(workspaceId) ?? askOnce(workspaceId));
  if (held.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return held.key;
  return (await askOnce(workspaceId)).key;
}

/** Forgets a key that the service did not take, or all of them when the person signs out. */
export function forgetSessionKeys(workspaceId?: string): void {
  if (workspaceId === undefined) keys.clear();
  else keys.delete(workspaceId);
}
