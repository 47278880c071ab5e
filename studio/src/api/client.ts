import { CreativePacks } from "creative-packs";
import { sendWithKey } from "./session-key.ts";

/** Sends a request with the workspace's key. */
export const fetchWithKey = (workspaceId: string, url: string, init: RequestInit = {}): Promise<Response> =>
  sendWithKey(workspaceId, (key) => {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(url, { ...init, headers });
  });

/** Client for operations that need no key. */
export const openClient = new CreativePacks({ apiKey: null, baseUrl: location.origin });

const clients = new Map<string, CreativePacks>();

/** Returns the client of a workspace, which calls the public API with the workspace's key. */
export function clientOf(workspaceId: string): CreativePacks {
  const made =
    clients.get(workspaceId) ??
    new CreativePacks({
      apiKey: null,
      baseUrl: location.origin,
      fetch: (url, init) => fetchWithKey(workspaceId, String(url), init),
    });
  clients.set(workspaceId, made);
  return made;
}
