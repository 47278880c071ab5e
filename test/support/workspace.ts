import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { Scope } from "#api/scopes.ts";
import { createWorkspace as createThroughService } from "#domains/workspaces/create-workspace.ts";
import type { Env } from "#platform/bindings/env.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";
import worker from "../../src/worker.ts";
import { boundDatabase, boundDatabases, isOnShards } from "./homes.ts";
import { afterMoves } from "./move-between-requests.ts";

/** Workspaces with credits and keys, created by the operator's service, and requests to the worker. */

export interface WorkspaceRequest {
  readonly credits?: number;
  readonly quota?: number;
  readonly unlimited?: boolean;
  readonly scopes?: readonly Scope[];
}

export interface TestWorkspace {
  readonly workspaceId: string;
  readonly apiKeyId: string;
  readonly secret: string;
}

export const keyDatabase = () => ({
  db: env.DB,
  home: "DB" as const,
  databases: { directory: env.DB, shards: new Map() },
  keyPepper: env.KEY_PEPPER ?? "",
  keyCheckSecret: env.KEY_CHECK_SECRET ?? null,
});

/** The database for the next workspace, chosen as the worker chooses it. */
async function placedDatabase() {
  const databases = boundDatabases();
  const home = await chooseHome(databases);
  return { ...keyDatabase(), db: boundDatabase(home), home, databases, directory: databases.directory };
}

export async function createWorkspace(request: WorkspaceRequest = {}): Promise<TestWorkspace> {
  const created = await createThroughService(
    await placedDatabase(),
    {
      name: "Test",
      credits: request.credits ?? 0,
      subscription: request.quota === undefined ? null : { quotaLimit: request.quota, period: "month" },
      hasUnlimitedAccess: request.unlimited ?? false,
      ...(request.scopes === undefined ? {} : { scopes: request.scopes }),
    },
    Date.now(),
  );
  return { workspaceId: created.workspaceId, apiKeyId: created.apiKey.apiKeyId, secret: created.secret };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted member by member, whatever they hold.
  readonly body: any;
  readonly bytes: Uint8Array;
}

export interface Call {
  readonly secret?: string;
  /** Bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides of the worker's settings for this request; undefined removes one. */
  readonly settings?: Settings;
}

export type Settings = { readonly [Name in keyof Env]?: Env[Name] | undefined };

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** The worker's settings with changes. */
export const configured = (changes: Settings): Env =>
  Object.fromEntries(Object.entries({ ...env, ...changes }).filter(isGiven));

/**
 * Sends a request to the worker. In a run with shards, the worker runs in this module, so that a test can clear its key
 * cache.
 */
async function send(
  request: Request<unknown, IncomingRequestCfProperties>,
  settings: Settings | undefined,
  context: ExecutionContext,
): Promise<Response> {
  if (settings !== undefined) return worker.fetch(request, configured(settings), context);
  return isOnShards() ? worker.fetch(request, env, context) : exports.default.fetch(request);
}

/** Sends a request to the worker in this isolate, with real bindings. */
export async function call(
  method: string,
  path: string,
  { secret, body, headers, settings }: Call = {},
): Promise<Answer> {
  const sent = new Headers(headers);
  if (secret !== undefined) sent.set("Authorization", `Bearer ${secret}`);
  let payload: BodyInit | null = null;
  if (body instanceof Uint8Array) payload = body;
  else if (body !== undefined) {
    payload = JSON.stringify(body);
    if (!sent.has("Content-Type")) sent.set("Content-Type", "application/json");
  }
  const request = new Request<unknown, IncomingRequestCfProperties>(new URL(path, "https://packs.example"), {
    method,
    headers: sent,
    body: payload,
    redirect: "manual",
  });
  const context = createExecutionContext();
  const response = await afterMoves({ secret, path }, () => send(request, settings, context));
  const bytes = new Uint8Array(await response.arrayBuffer());
  await waitOnExecutionContext(context);
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null,
    bytes,
  };
}
