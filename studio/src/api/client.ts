import { CreativePacks } from "creative-packs";
import { sendWithKey } from "./session-key.ts";

/** Sends a request with the workspace's key. */
export const fetchWithKey = (workspaceId: string, url: string, init: RequestInit = {}): Promise<Response> =>
  sendWithKey(workspaceId, (key) => {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(url, { ...init, headers });
  });

/** For operations that need no key. */
export const openClient = new CreativePacks({ apiKey: null, baseUrl: location.origin });

const clients = new Map<string, CreativePacks>();

/** The client library for one of the user's workspaces: the API that servers call. */
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
