import type { Context } from "hono";
import { uuidSchema } from "#api/schemas/primitives.ts";
import type { Membership } from "#domains/accounts/members/membership.ts";
import type { AccountSession } from "#domains/accounts/sign-in/session.ts";
import type { Principal } from "#domains/keys/principal.ts";
import type { SignedShare } from "#domains/shares/share-token.ts";
import type { OrderReads } from "#operations/order-facts.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import type { LogLine } from "#platform/log/log.ts";
import type { Isolate } from "./isolate-state.ts";

/** A workspace that the caller may use, and its database. */
export interface WorkspaceAccess {
  readonly db: D1Database;
  readonly workspaceId: string;
  /** Whether the caller sees live jobs and packs. A test key sees only test jobs. */
  readonly livemode: boolean;
}

/** Database of a workspace when a request was routed to it. */
export interface WorkspaceHome {
  readonly home: Home;
  readonly workspaceId: string;
}

/** The resources that a request reads or creates. */
export type Subject = Pick<LogLine, "jobId" | "assetId" | "artifactId" | "deliveryId">;

/** Hono's types for one request: the isolate's state, and variables that the middleware sets. */
export interface AppEnv {
  Bindings: Isolate;
  Variables: {
    requestId: string;
    /** Arrival time, which the whole request uses. */
    nowMs: number;
    capabilities: Capabilities;
    /** The API key; only on routes for keys. */
    principal: Principal;
    /** Queries for an order, sent in one round trip with the lookup of an uncached key; only for `POST /jobs`. */
    orderReads: OrderReads | undefined;
    /** Results of `orderReads`; null if the key was cached. */
    readWithKey: readonly D1Result[] | null;
    /** The signed-in account; only on routes for sessions, which have no principal. */
    session: AccountSession;
    /** The account's role in the path's workspace; only on routes of members. */
    membership: Membership;
    /** The workspace of the key or the member. */
    workspace: WorkspaceAccess;
    /** The share link of a visitor's write, verified before the body is read. */
    signedShare: SignedShare;
    /** The first database that the request was routed to; undefined before that. */
    routedTo: WorkspaceHome | undefined;
    /** Whether a large message of an agent was counted as an upload before its body was read. */
    isCountedUpload: boolean | undefined;
    /** The limit of the route family that has counted the request. */
    windowLimit: number | undefined;
    /** The operation's id for logs. */
    operation: string;
    /** The resources named in the request's log line. */
    subject: Subject | undefined;
    errorCode: string | undefined;
    /** The operation's own code for "try again in a moment". */
    busyCode: "PREVIEW_UNAVAILABLE" | undefined;
  };
}

const NAMES: readonly string[] = ["jobId", "assetId", "artifactId", "deliveryId"] satisfies (keyof Subject)[];

/** Adds the resource ids among these properties to the request's log line. Ignores values that are not UUIDs. */
export function nameSubject(c: Context<AppEnv>, members: object): void {
  const ids = Object.entries(members).flatMap(([name, value]) => {
    const id = NAMES.includes(name) ? uuidSchema.safeParse(value) : null;
    return id?.success ? [[name, id.data]] : [];
  });
  if (ids.length > 0) c.set("subject", { ...c.get("subject"), ...Object.fromEntries(ids) });
}

/**
 * Lets work finish after the client disconnects. Canceled work would never release its slot, mutex or reserved preview,
 * which then blocks other requests until it expires.
 */
export function finishAfterDisconnect<T>(c: Context<AppEnv>, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(
    work.then(
      () => undefined,
      () => undefined,
    ),
  );
  return work;
}

/** Discards the response with its headers, except the request id, so that another response can replace it. */
export function discardResponse(c: Context<AppEnv>): void {
  const kept = c.res.headers.get("X-Request-ID");
  const names = [...c.res.headers.keys()];
  c.res = undefined;
  for (const name of names) c.res.headers.delete(name);
  if (kept !== null) c.res.headers.set("X-Request-ID", kept);
}
