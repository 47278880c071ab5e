import { createMiddleware } from "hono/factory";
import type { RouteFamily } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Capability } from "../platform/capabilities.ts";
import type { AppEnv } from "./context.ts";
import { operationFor } from "./operation.ts";
import { requireOwnOrigin } from "./own-origin.ts";
import { countRequest } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";
import { authenticateSession } from "./session.ts";

interface AccountOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Fixed window it counts in; a session's by account. */
  readonly family: RouteFamily;
  /** Capabilities besides accounts without which it answers 501. */
  readonly needs: readonly Capability[];
  readonly takesJson?: boolean;
}

interface SessionOperation extends AccountOperation {
  /** What the account's role in the workspace must cover; the handler asks for it. Null where none is needed. */
  readonly scope: Scope | null;
}

const requireAccounts = createMiddleware<AppEnv>(async (c, next) => {
  requireCapability(c, "accounts");
  await next();
});

const countAccount = (family: RouteFamily) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await countRequest(c, family, c.var.session.accountId);
    await next();
  });

/** A public route by which a session begins. Its handler counts the request: by network, and by address. */
export const signInOperation = (definition: AccountOperation) =>
  operationFor(
    { middleware: [requireAccounts, requireOwnOrigin], security: [], words: "Public." },
    { ...definition, tag: "Account", needs: ["rateLimit", ...definition.needs] },
  );

/**
 * A route for a signed-in person, in place of `operation`. Order: body size and body → accounts (501) → origin (403)
 * → session (401) → window of the account (429) → capabilities (501) → body type (415) → validation.
 */
export const sessionOperation = ({ scope, ...definition }: SessionOperation) =>
  operationFor(
    {
      middleware: [requireAccounts, requireOwnOrigin, authenticateSession, countAccount(definition.family)],
      security: [{ accountSession: [] }],
      words: scope === null ? "Account session." : `Account session whose role covers \`${scope}\`.`,
    },
    { ...definition, tag: "Account" },
  );
