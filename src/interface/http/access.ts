import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "#api/errors.ts";
import type { RouteFamily } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { mirrorChangedPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { enterByArtifact, enterById } from "#domains/accounts/members/enter-workspace.ts";
import type { Membership } from "#domains/accounts/members/membership.ts";
import { refuseTestKey } from "#domains/keys/principal.ts";
import { keyRevoked } from "#domains/keys/service.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import { authenticate, type KeyMemoryUse, readKey } from "./authenticate.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest, refused } from "./envelope.ts";
import { requireOwnOrigin } from "./own-origin.ts";
import { countRequest, rateLimit, rateLimitBesideRead } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";
import { authenticateSession } from "./session.ts";
import { routeToDatabase, waitForMove } from "./workspace-database.ts";

/** Callers that an operation accepts. */
export type Access =
  | { readonly kind: "public" }
  /** Any caller from a page of this origin: these operations open a session. */
  | { readonly kind: "sign-in" }
  | {
      readonly kind: "api-key";
      readonly scope: Scope;
      readonly isCheckedInEffect: boolean;
      readonly isLiveOnly: boolean;
    }
  /** A signed-in account. */
  | { readonly kind: "session" }
  /** A signed-in account whose role in the path's workspace covers the scope; null: any role. */
  | { readonly kind: "member"; readonly scope: Scope | null }
  | { readonly kind: "owner" };

export const PUBLIC: Access = { kind: "public" };
export const SIGN_IN: Access = { kind: "sign-in" };
export const SESSION: Access = { kind: "session" };
export const OWNER: Access = { kind: "owner" };
export const memberWith = (scope: Scope | null): Access => ({ kind: "member", scope });

/** Signed image URLs cost money, so test keys are refused. */
const IMAGES: Scope = "images:write";

/**
 * Access by API key with a scope.
 *
 * `isCheckedInEffect`: the effect's batch fails for a revoked key, so a cached key is enough to run it. The route reads
 * the key again before any other answer (`authenticate`). `isLiveOnly`: a test key gets 403 TEST_KEY_REFUSED.
 */
export const apiKey = (
  scope: Scope,
  {
    isCheckedInEffect = false,
    isLiveOnly = scope === IMAGES,
  }: { readonly isCheckedInEffect?: boolean; readonly isLiveOnly?: boolean } = {},
): Access => ({ kind: "api-key", scope, isCheckedInEffect, isLiveOnly });

/** Requests with a read scope may use a cached key. All others read the key, unless the effect checks it. */
function keyMemoryUse(scope: Scope, isCheckedInEffect: boolean): KeyMemoryUse {
  if (scope.endsWith(":read")) return "for-reads";
  return isCheckedInEffect ? "for-new-effects" : "never";
}

const requireAccounts = createMiddleware<AppEnv>(async (c, next) => {
  requireCapability(c, "accounts");
  await next();
});

/** Maximum number of changed accounts that one request copies to shards. The sweep copies the rest. */
const MIRRORED_PER_REQUEST_MAX = 5;

/** Copies changed accounts to their shards, the path's workspace first. Logs a failure; the sweep retries. */
async function mirrorPeopleOf(c: Context<AppEnv>): Promise<void> {
  const { databases } = requireCapability(c, "accounts");
  try {
    await mirrorChangedPeople(databases, c.get("nowMs"), MIRRORED_PER_REQUEST_MAX, {
      first: c.req.param("workspaceId") ?? null,
    });
  } catch (thrown) {
    log.failure({ event: "people_not_mirrored" }, thrown);
  }
}

/** Copies account changes to the shards before the answer. */
const mirrorPeopleAfter = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method !== "GET") await mirrorPeopleOf(c);
});

/**
 * Copies account changes to the shards after the answer, because the time it takes would reveal whether an address has
 * an account. If a request enters a workspace before that, it first updates the workspace's shard.
 */
const mirrorPeopleLater = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method !== "GET") c.executionCtx.waitUntil(mirrorPeopleOf(c));
});

const countAccount = (family: RouteFamily) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await countRequest(c, family, c.get("session").accountId);
    await next();
  });

/** Waits for the end of a move before any other work, because the moving workspace would refuse the write. */
const waitWhileMoving = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("principal").isMoving) {
    await waitForMove(c);
    await readKey(c, "never");
  }
  await next();
});

const requireLiveKey = createMiddleware<AppEnv>(async (c, next) => {
  const refusal = refuseTestKey(c.get("principal"));
  if (refusal !== null) throw new RefusedRequest(refusal);
  await next();
});

/** Middleware that authenticates and counts a request. Runs before validation. */
export function admit(access: Access, window: RouteFamily | null): readonly MiddlewareHandler<AppEnv>[] {
  switch (access.kind) {
    case "public":
      return [];
    case "sign-in":
      return [requireAccounts, requireOwnOrigin, mirrorPeopleLater];
    case "api-key": {
      const { scope, isCheckedInEffect, isLiveOnly } = access;
      const authenticated = authenticate(scope, keyMemoryUse(scope, isCheckedInEffect), window);
      const isRead = scope.endsWith(":read");
      const admitted = [...(isLiveOnly ? [requireLiveKey] : []), ...(isRead ? [] : [waitWhileMoving])];
      if (window === null) return [authenticated, ...admitted];
      // Routes of the family `read` change nothing, so reads for a request over the limit can be discarded.
      const counted = window === "read" ? rateLimitBesideRead(window) : rateLimit(window);
      return [authenticated, counted, ...admitted];
    }
    default: {
      const counted = window === null ? [] : [countAccount(window)];
      return [requireAccounts, requireOwnOrigin, authenticateSession, ...counted, mirrorPeopleAfter];
    }
  }
}

type ValidatedPath = Context<AppEnv, string, { out: { param: Readonly<Record<string, string>> } }>;

/**
 * Authorizes an account for the workspace, or the artifact, of the validated path. Throws 404 WORKSPACE_NOT_FOUND or
 * ARTIFACT_NOT_FOUND if it does not exist or the account is not a member, and 403 ROLE_INSUFFICIENT.
 */
export async function enterWorkspace(c: ValidatedPath, access: Access): Promise<void> {
  if (access.kind !== "member" && access.kind !== "owner") return;
  const { databases } = requireCapability(c, "accounts");
  const entry = { accountId: c.get("session").accountId, nowMs: c.get("nowMs") };
  const { workspaceId, artifactId } = c.req.valid("param");
  const membership =
    workspaceId === undefined
      ? await enterByArtifact(databases, entry, artifactId ?? "")
      : await enterById(databases, entry, workspaceId);
  if (membership === null) {
    throw new RefusedRequest(
      workspaceId === undefined
        ? refuse("ARTIFACT_NOT_FOUND", "No workspace of the account has an artifact with this id.")
        : refuse("WORKSPACE_NOT_FOUND", "The account has no workspace with this id."),
    );
  }
  if (access.kind === "owner") requireOwner(membership);
  else if (access.scope !== null) requireScope(membership, access.scope);
  c.set("membership", membership);
  routeToDatabase(c, membership);
}

function requireOwner({ role, isSuspended }: Membership): void {
  if (isSuspended) throw suspended();
  if (role === "owner") return;
  throw refused("ROLE_INSUFFICIENT", "Only an owner of the workspace may do this.", {
    requiredRole: "owner",
  });
}

function requireScope({ scopes, role, isSuspended }: Membership, scope: Scope): void {
  if (scopes.includes(scope)) return;
  if (isSuspended) throw suspended();
  throw refused("ROLE_INSUFFICIENT", `A ${role} of the workspace does not have ${scope}.`, {
    requiredScope: scope,
  });
}

/** Throws 403 ROLE_INSUFFICIENT for a suspended workspace. */
export function requireNotSuspended({ isSuspended }: Membership): void {
  if (isSuspended) throw suspended();
}

const suspended = () =>
  refused("ROLE_INSUFFICIENT", "The workspace is suspended; its people may only read.", {
    nextAction: "Ask the operator of this service.",
  });

/**
 * Runs a write whose batch checks its key or member. Throws 404 WORKSPACE_NOT_FOUND if the account has left the
 * workspace, and 401 KEY_REVOKED if the key was revoked or has expired.
 */
export async function whileAdmitted<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (isGuardViolation(thrown, "key_active")) throw new RefusedRequest(keyRevoked());
    if (!isGuardViolation(thrown, "membership_active")) throw thrown;
    throw refused("WORKSPACE_NOT_FOUND", "The account is no longer in the workspace.");
  }
}
