import { expect } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { isClosed } from "../support/moves.ts";
import { type Actor, choose, command, isKeyAccepted } from "./command.ts";
import { newModelWorkspace, pick } from "./model.ts";
import { isRefusedForMove } from "./move-commands.ts";

export const grant = command<{ workspace: number; credits: number; reference: number }>(
  "grant",
  async (given, model, world) => {
    const workspace = pick(model.workspaces, given.workspace);
    if (workspace === null || (await isClosed(workspace.workspaceId))) return;
    const reference = `invoice-${given.reference}`;
    const db = await databaseOfWorkspace(workspace.workspaceId);
    await grantStatement(db, workspace.workspaceId, given.credits, world.nowMs, { reference }).run();
    if (workspace.grants.has(reference)) return;
    workspace.grants.add(reference);
    workspace.credits += given.credits;
  },
);

/** Number of scopes of a trial's key. It cannot create a key with scopes that it lacks. */
const TRIAL_SCOPE_COUNT = 6;

export const createKey = command<{ actor: Actor }>("create key", async (given, model, world) => {
  const chosen = choose(model, given.actor);
  const { workspace, key } = chosen;
  const reply = await world.request({
    method: "POST",
    path: "/api/v1/api-keys",
    secret: key.secret,
    body: { name: "Another", scopes: SCOPES },
  });
  const { status, body } = reply;
  if (!isKeyAccepted(chosen, world.nowMs)) return expect(status).toBe(401);
  if (workspace.expiresAtMs === null && (await isRefusedForMove(chosen, reply))) return;
  const hasAccess = workspace.isUnlimited || workspace.quotaLimit !== null || workspace.credits > 0;
  // A trial's key may not create keys.
  const mayCreate = workspace.expiresAtMs === null && hasAccess;
  expect(status, JSON.stringify(body)).toBe(mayCreate ? 201 : 403);
  if (!mayCreate) return;
  workspace.keys.push({ apiKeyId: body.data.apiKeyId, secret: body.data.secret, isRevoked: false });
});

export const revokeKey = command<{ actor: Actor; revoked: number; isForeign: boolean }>(
  "revoke key",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    const owners = model.workspaces.filter((owner) => (owner === chosen.workspace) !== given.isForeign);
    const revoked = pick(
      owners.flatMap((owner) => owner.keys),
      given.revoked,
    );
    const live = chosen.workspace.keys.filter(({ isRevoked }) => !isRevoked);
    // Never revoke the last key, since no request could follow.
    if (revoked === null || (!given.isForeign && live.length < 2)) return;
    const reply = await world.request({
      method: "DELETE",
      path: `/api/v1/api-keys/${revoked.apiKeyId}`,
      secret: chosen.key.secret,
    });
    const { status } = reply;
    if (!isKeyAccepted(chosen, world.nowMs)) return expect(status).toBe(401);
    if (chosen.workspace.expiresAtMs !== null) return expect(status).toBe(403);
    if (await isRefusedForMove(chosen, reply)) return;
    expect(status).toBe(given.isForeign ? 404 : 200);
    if (status === 200) revoked.isRevoked = true;
  },
);

export const claimTrial = command<{ marker: number }>("trial", async (given, model, world) => {
  const marker = `marker-${given.marker}`;
  const { status, body } = await world.request({
    method: "POST",
    path: "/api/v1/agent/trial-key",
    body: { clientMarker: `${model.workspaces[0]?.workspaceId}-${marker}` },
  });
  if (world.nowMs < (model.trials.get(marker) ?? 0)) return expect(status).toBe(429);
  expect(status, JSON.stringify(body)).toBe(201);
  const { workspace, apiKey, secret } = body.data;
  const expiresAtMs = world.nowMs + LIMITS.trialLifetimeMs;
  expect(apiKey.scopes).toHaveLength(TRIAL_SCOPE_COUNT);
  model.trials.set(marker, expiresAtMs);
  model.workspaces.push(
    newModelWorkspace({
      workspaceId: workspace.workspaceId,
      isUnlimited: false,
      quotaLimit: null,
      credits: LIMITS.trialCredits,
      expiresAtMs,
      keys: [{ apiKeyId: apiKey.apiKeyId, secret, isRevoked: false }],
    }),
  );
});

/** Reads and writes with ids of another workspace. Each responds as if the resource did not exist. */
export const reachAcross = command<{ actor: Actor; at: number }>(
  "reach across",
  async (given, model, world) => {
    const chosen = choose(model, given.actor);
    if (!isKeyAccepted(chosen, world.nowMs)) return;
    const others = model.workspaces.filter((other) => other !== chosen.workspace);
    const asset = pick(
      others.flatMap((other) => other.assets),
      given.at,
    );
    const job = pick(
      others.flatMap((other) => other.jobs),
      given.at,
    );
    const attempts = [
      ...(asset === null
        ? []
        : [
            { method: "GET", path: `/api/v1/assets/${asset.assetId}` },
            { method: "DELETE", path: `/api/v1/assets/${asset.assetId}` },
          ]),
      ...(job === null ? [] : [{ method: "GET", path: `/api/v1/jobs/${job.jobId}` }]),
    ];
    for (const attempt of attempts) {
      const reply = await world.request({ ...attempt, secret: chosen.key.secret });
      if (attempt.method !== "GET" && (await isRefusedForMove(chosen, reply))) continue;
      expect(reply.status).toBe(404);
    }
  },
);
