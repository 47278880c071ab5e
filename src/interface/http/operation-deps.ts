import type { Context } from "hono";
import { enqueueImports } from "#domains/assets/imports/dispatch-imports.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import type { Caller } from "#operations/caller.ts";
import type { CancelDeps } from "#operations/cancel-pack.ts";
import type { CompletionDeps } from "#operations/complete-upload.ts";
import type { AllowanceDeps, DrawPreviewDeps } from "#operations/draw-preview.ts";
import type { ImportAssetDeps } from "#operations/import-asset.ts";
import type { OrderRules } from "#operations/order-facts.ts";
import type { OrderDeps } from "#operations/order-pack.ts";
import { mp4OutputOf } from "#platform/bindings/env.ts";
import { copyChecks, getRenderer, withRendererSoon } from "#platform/render-engine.ts";
import { enqueueJob } from "../queue/enqueue-jobs.ts";
import type { AppEnv } from "./context.ts";
import { locksOf } from "./idempotency-header.ts";
import { limitOf } from "./rate-limit.ts";
import { requireCapability, storageOf } from "./require-capability.ts";

/**
 * Creates the operations' dependencies from a request, for routes and agents' tools. 501 for a service that is
 * not configured.
 */

export const callerOf = (c: Context<AppEnv>): Caller => ({ ...c.get("principal"), nowMs: c.get("nowMs") });

/** Order limits of this origin. */
export const orderRules = (c: Context<AppEnv>): OrderRules => ({
  windowLimits: {
    "failed-jobs": limitOf(c.env.bindings, "failed-jobs"),
    "canceled-jobs": limitOf(c.env.bindings, "canceled-jobs"),
  },
  needsConfirmedOwner: c.get("capabilities").mail !== null,
});

/** Whether packs may contain MP4 files: the operator has not turned them off, and videos have a queue. */
export const offersMp4 = (c: Context<AppEnv>): boolean =>
  mp4OutputOf(c.env.bindings) === "on" && c.get("capabilities").videos !== null;

/** Dependencies for validating the request of a pack. */
export const packChecks = (c: Context<AppEnv>) => ({
  bucket: requireCapability(c, "storage"),
  ...copyChecks(),
  offersMp4: offersMp4(c),
});

export function orderDeps(c: Context<AppEnv>): OrderDeps {
  const { db } = c.get("workspace");
  const checks = packChecks(c);
  const queues = { queue: requireCapability(c, "queue"), videos: c.get("capabilities").videos };
  const { queuedMessagesMax, home } = requireCapability(c, "database");
  const outbox = c.env.outboxAt(home);
  return {
    db,
    ...checks,
    queuedMessagesMax,
    enqueue: (job) => c.executionCtx.waitUntil(enqueueJob(outbox, queues, db, job, c.get("requestId"))),
    openStorage: storageOf(c),
    preconditionCache: c.env.preconditionCache,
    rules: orderRules(c),
    imports: () => importDeps(c),
  };
}

export function cancelDeps(c: Context<AppEnv>): CancelDeps {
  const { db } = c.get("workspace");
  const { deliveries } = c.get("capabilities");
  return {
    db,
    openStorage: storageOf(c),
    enqueueDeliveries: () => {
      if (deliveries !== null) c.executionCtx.waitUntil(enqueueDeliveries(deliveries.queue, db));
    },
  };
}

export function importDeps(c: Context<AppEnv>): ImportAssetDeps {
  const { db } = c.get("workspace");
  const { queue, encryption, addressRules } = requireCapability(c, "imports");
  return {
    db,
    encryption,
    addressRules,
    locks: locksOf(c),
    enqueueImports: () => c.executionCtx.waitUntil(enqueueImports(queue, db)),
  };
}

export const completionDeps = (c: Context<AppEnv>): CompletionDeps => ({
  db: c.get("workspace").db,
  bucket: requireCapability(c, "storage"),
  getRenderer,
  locks: locksOf(c),
});

export const allowanceDeps = (c: Context<AppEnv>): AllowanceDeps => ({
  db: c.get("workspace").db,
  quotas: requireCapability(c, "previewQuota"),
  overrides: c.env.bindings,
});

export const previewDeps = (c: Context<AppEnv>): DrawPreviewDeps => ({
  ...allowanceDeps(c),
  ...packChecks(c),
  withRenderer: withRendererSoon,
  locks: locksOf(c),
  keyPepper: requireCapability(c, "database").keyPepper,
});
