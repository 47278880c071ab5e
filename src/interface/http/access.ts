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
import { requireOwnOrigin } from "./origin.ts";
import { countRequest, rateLimit, rateLimitBesideRead } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";
import { authenticateSession } from "./session.ts";
import { enterHome, waitForMove } from "./workspace-database.ts";

/** Who may call an operation. */
export type Access =
  | { readonly kind: "public" }
  /** Anybody from a page of this origin: a session begins here. */
  | { readonly kind: "sign-in" }
  | {
      readonly kind: "api-key";
      readonly scope: Scope;
      readonly isCheckedInEffect: boolean;
      readonly isLiveOnly: boolean;
    }
  /** A signed-in person. */
  | { readonly kind: "session" }
  /** A signed-in person whose role in the workspace of the path covers the scope; null: any role. */
  | { readonly kind: "member"; readonly scope: Scope | null }
  | { readonly kind: "owner" };

export const PUBLIC: Access = { kind: "public" };
export const SIGN_IN: Access = { kind: "sign-in" };
export const SESSION: Access = { kind: "session" };
export const OWNER: Access = { kind: "owner" };
export const memberWith = (scope: Scope | null): Access => ({ kind: "member", scope });

/**
 * `isCheckedInEffect`: the effect's own batch fails for a key that was revoked meanwhile, so that the key may be
 * remembered. Whatever else the route answers, it answers after it has read the key anew (`authenticate`).
 * `isLiveOnly`: a test key gets 403 TEST_KEY_REFUSED.
 */
export const apiKey = (
  scope: Scope,
  {
    isCheckedInEffect = false,
    isLiveOnly = false,
  }: { readonly isCheckedInEffect?: boolean; readonly isLiveOnly?: boolean } = {},
): Access => ({ kind: "api-key", scope, isCheckedInEffect, isLiveOnly });

/** Reads may use a key as it was within the last seconds; what writes or spends reads it each time. */
function keyMemoryUse(scope: Scope, isCheckedInEffect: boolean): KeyMemoryUse {
  if (scope.endsWith(":read")) return "for-reads";
  return isCheckedInEffect ? "for-new-effects" : "never";
}

const requireAccounts = createMiddleware<AppEnv>(async (c, next) => {
  requireCapability(c, "accounts");
  await next();
});

/** What one request brings its shards of changed people, at most; the sweep does the rest. */
const MIRRORED_PER_REQUEST_MAX = 5;

/** Brings the shards what a request has changed of people, of its path's workspace first. What fails is logged, and left to the sweep. */
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

/** The shards have the people that a request has changed before it is answered. */
const mirrorPeopleAfter = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method !== "GET") await mirrorPeopleOf(c);
});

/**
 * The same, which the answer does not wait for: the time that it takes would tell whether an address has an account. Whoever
 * enters a workspace before that brings its shard up to its people.
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

/** What a moving workspace would refuse waits for the end of the move, and spares its work before. */
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

/** The middleware that lets callers in and counts their requests. It runs before the request is validated. */
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
      // The family `read` changes nothing, so that what it read for a request over the limit may be thrown away.
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
 * Lets a signed-in person into the workspace of the path, or of its artifact, after the path was validated. 404
 * WORKSPACE_NOT_FOUND or ARTIFACT_NOT_FOUND, alike for one that is not there and one that is not the account's; 403
 * ROLE_INSUFFICIENT.
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
        ? refuse("ARTIFACT_NOT_FOUND", "No workspace of the account has an artifact of this id.")
        : refuse("WORKSPACE_NOT_FOUND", "The account has no workspace of this id."),
    );
  }
  if (access.kind === "owner") requireOwner(membership);
  else if (access.scope !== null) requireScope(membership, access.scope);
  c.set("membership", membership);
  enterHome(c, membership);
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

/** 403 ROLE_INSUFFICIENT where an operator has suspended the workspace. */
export function requireNotSuspended({ isSuspended }: Membership): void {
  if (isSuspended) throw suspended();
}

const suspended = () =>
  refused("ROLE_INSUFFICIENT", "The workspace is suspended; its people may only read.", {
    nextAction: "Ask the operator of this service.",
  });

/**
 * Does a write of a member or of a key, whose batch checks them. When the account has left the workspace in between, it is 404
 * WORKSPACE_NOT_FOUND; when the key has ended, 401 KEY_REVOKED.
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
