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

/** A workspace that the caller was let into, and the database that it is read from. */
export interface WorkspaceAccess {
  readonly db: D1Database;
  readonly workspaceId: string;
  /** Whether the caller works with live jobs and their packs; false for a test key, which has only test jobs. */
  readonly livemode: boolean;
}

/** Where a workspace lived when a request was led to it. */
export interface WorkspaceHome {
  readonly home: Home;
  readonly workspaceId: string;
}

/** The resources that a request is about, or has created. */
export type Subject = Pick<LogLine, "jobId" | "assetId" | "artifactId" | "deliveryId">;

/** What a request carries on its way through the middleware. */
export interface AppEnv {
  Bindings: Isolate;
  Variables: {
    requestId: string;
    /** Time the request came in; one request sees one time. */
    nowMs: number;
    capabilities: Capabilities;
    /** The API key; on its routes alone. */
    principal: Principal;
    /** The reads of an order, which go in one trip with its key where that is not remembered; of `POST /jobs` alone. */
    orderReads: OrderReads | undefined;
    /** Their results; null where the key was remembered. */
    readWithKey: readonly D1Result[] | null;
    /** The signed-in person; on routes of account sessions, where there is no principal. */
    session: AccountSession;
    /** The person's role in the workspace of the path; on its routes alone. */
    membership: Membership;
    /** The workspace that the key is of, or that the person is a member of. */
    workspace: WorkspaceAccess;
    /** The link of a visitor who writes, read before the body. */
    signedShare: SignedShare;
    /** Where the request was led to first; nothing before it was led anywhere. */
    ledTo: WorkspaceHome | undefined;
    /** Whether it was counted as an upload before it was read; large messages of agents are. */
    isCountedUpload: boolean | undefined;
    /** The limit of the route family that has counted the request. */
    windowLimit: number | undefined;
    /** The operation's id in logs. */
    operation: string;
    /** What the request is about, or has made: its line in the log names it. */
    subject: Subject | undefined;
    errorCode: string | undefined;
    /** The code for "try again in a moment" where the operation has one of its own. */
    busyCode: "PREVIEW_UNAVAILABLE" | undefined;
  };
}

const NAMES: readonly string[] = ["jobId", "assetId", "artifactId", "deliveryId"] satisfies (keyof Subject)[];

/** Adds the ids of resources among these members to the request's log line. Anything that is not a UUID is ignored. */
export function nameSubject(c: Context<AppEnv>, members: object): void {
  const ids = Object.entries(members).flatMap(([name, value]) => {
    const id = NAMES.includes(name) ? uuidSchema.safeParse(value) : null;
    return id?.success ? [[name, id.data]] : [];
  });
  if (ids.length > 0) c.set("subject", { ...c.get("subject"), ...Object.fromEntries(ids) });
}

/**
 * Lets work go on when the client hangs up. Work that is cut off would never release what it holds (a slot, the mutex of
 * the isolate's memory, a reserved preview), and the next request would wait in vain.
 */
export function outliveClient<T>(c: Context<AppEnv>, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(
    work.then(
      () => undefined,
      () => undefined,
    ),
  );
  return work;
}

/** Discards the response with its headers, so that another can take its place. */
export function discardResponse(c: Context<AppEnv>): void {
  const kept = c.res.headers.get("X-Request-ID");
  const names = [...c.res.headers.keys()];
  c.res = undefined;
  for (const name of names) c.res.headers.delete(name);
  if (kept !== null) c.res.headers.set("X-Request-ID", kept);
}
