import { CreativePacks } from "creative-packs";
import { forgetSessionKeys, sessionKeyOf } from "./session-key.ts";

const UNAUTHORIZED = 401;

const withKey = async (workspaceId: string, url: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${await sessionKeyOf(workspaceId)}`);
  return fetch(url, { ...init, headers });
};

/** Sends a request with the workspace's key; once more with a new one where the key has ended before its time. */
export async function fetchWithKey(
  workspaceId: string,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await withKey(workspaceId, url, init);
  if (response.status !== UNAUTHORIZED) return response;
  forgetSessionKeys(workspaceId);
  return withKey(workspaceId, url, init);
}

/** For what needs no key. */
export const openClient = new CreativePacks({ apiKey: null, baseUrl: location.origin });

const clients = new Map<string, CreativePacks>();

/** The client library for one of the person's workspaces: the same API that servers call. */
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
