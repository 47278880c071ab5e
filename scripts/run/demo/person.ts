import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { TRIAL_SCOPES } from "#api/scopes.ts";
import { Failure } from "../../local/failure.ts";

const POLL_MS = 200;
const WAIT_MS_MAX = 60_000;

/**
 * A person with a session, who acts as a page of the Studio would. Neither API keys nor the SDK can manage accounts.
 */
export interface Person {
  readonly email: string;
  readonly workspaceId: string;
  /** Sends a request with the session; any error becomes a Failure. */
  readonly ask: <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<T>;
  /** Creates an API key of the workspace. Returns its secret. */
  readonly newKey: () => Promise<string>;
  /** Like `ask`, but at the given origin, such as that of a restarted worker. */
  readonly askAt: <T>(origin: string, method: string, path: string, body?: unknown) => Promise<T>;
}

async function send(
  origin: string,
  cookie: string,
  method: string,
  path: string,
  body: unknown,
  extra: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...extra,
      Origin: origin,
      ...(cookie === "" ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data, error } = JSON.parse(await response.text());
  if (!response.ok) throw new Failure(`${method} ${path}: ${error.code}, ${error.message}`);
  return { response, data };
}

/** Repeats the request until it succeeds. */
export async function until<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  const endMs = performance.now() + WAIT_MS_MAX;
  while (performance.now() < endMs) {
    const found = await read();
    if (found !== null) return found;
    await delay(POLL_MS);
  }
  throw new Failure(`${what} takes too long.`);
}

/** Signs a new person up and in. The workspace is that of the new account. */
export async function signUpAndIn(origin: string): Promise<Person> {
  const email = `${randomUUID()}@demo.example`;
  const password = randomUUID();
  await send(origin, "", "POST", "/api/account/sign-up", { name: "Demo", email, password });
  const { response } = await send(origin, "", "POST", "/api/account/sign-in", { email, password });
  const cookie = response.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const ask: Person["ask"] = async (method, path, body, headers) =>
    (await send(origin, cookie, method, path, body, headers)).data;
  const askAt: Person["askAt"] = async (at, method, path, body) =>
    (await send(at, cookie, method, path, body)).data;
  const workspaces = await ask<{ items: { workspaceId: string }[] }>("GET", "/api/account/workspaces");
  const workspaceId = workspaces.items[0]?.workspaceId;
  if (workspaceId === undefined) throw new Error("the account came without a workspace");
  const newKey = async () => {
    const key = { name: "Demo", scopes: TRIAL_SCOPES };
    return (await ask<{ secret: string }>("POST", `/api/account/workspaces/${workspaceId}/api-keys`, key))
      .secret;
  };
  return { email, workspaceId, ask, newKey, askAt };
}
