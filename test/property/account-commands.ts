import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { LIMITS } from "../../src/api/limits.ts";
import { SCOPES } from "../../src/api/scopes.ts";
import { grantStatement } from "../../src/workspaces/create-workspace.ts";
import type { World } from "../fault/world.ts";
import { type Actor, Command, choose, isLetIn } from "./command.ts";
import { type Model, newModelWorkspace, pick } from "./model.ts";

export class Grant extends Command {
  constructor(
    readonly workspace: number,
    readonly credits: number,
    readonly reference: number,
  ) {
    super("grant", { workspace, credits, reference });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const workspace = pick(model.workspaces, this.workspace);
    if (workspace === null) return;
    const reference = `invoice-${this.reference}`;
    await grantStatement(env.DB, workspace.workspaceId, this.credits, world.nowMs, { reference }).run();
    if (workspace.grants.has(reference)) return;
    workspace.grants.add(reference);
    workspace.credits += this.credits;
  }
}

/** Scopes of a trial's key; a key of a trial can give no more. */
const TRIAL_SCOPE_COUNT = 6;

export class CreateKey extends Command {
  constructor(readonly actor: Actor) {
    super("create key", { actor });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const { workspace, key } = chosen;
    const { status, body } = await world.request({
      method: "POST",
      path: "/api/v1/api-keys",
      secret: key.secret,
      body: { name: "Another", scopes: SCOPES },
    });
    if (!isLetIn(chosen, world.nowMs)) return expect(status).toBe(401);
    const hasAccess = workspace.isUnlimited || workspace.quotaLimit !== null || workspace.credits > 0;
    // A trial's key lacks the scope.
    const mayCreate = workspace.expiresAtMs === null && hasAccess;
    expect(status, JSON.stringify(body)).toBe(mayCreate ? 201 : 403);
    if (!mayCreate) return;
    workspace.keys.push({ apiKeyId: body.data.apiKeyId, secret: body.data.secret, isRevoked: false });
  }
}

export class RevokeKey extends Command {
  constructor(
    readonly actor: Actor,
    readonly revoked: number,
    readonly isForeign: boolean,
  ) {
    super("revoke key", { actor, revoked, isForeign });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    const owners = model.workspaces.filter((owner) => (owner === chosen.workspace) !== this.isForeign);
    const revoked = pick(
      owners.flatMap((owner) => owner.keys),
      this.revoked,
    );
    const live = chosen.workspace.keys.filter(({ isRevoked }) => !isRevoked);
    // Without its last key a workspace has no history any more.
    if (revoked === null || (!this.isForeign && live.length < 2)) return;
    const { status } = await world.request({
      method: "DELETE",
      path: `/api/v1/api-keys/${revoked.apiKeyId}`,
      secret: chosen.key.secret,
    });
    if (!isLetIn(chosen, world.nowMs)) return expect(status).toBe(401);
    if (chosen.workspace.expiresAtMs !== null) return expect(status).toBe(403);
    expect(status).toBe(this.isForeign ? 404 : 200);
    if (status === 200) revoked.isRevoked = true;
  }
}

export class ClaimTrial extends Command {
  constructor(
    readonly marker: number,
    /** Tells one history's clients from another's. */
    readonly name = "marker",
  ) {
    super("trial", { marker });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const marker = `${this.name}-${this.marker}`;
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
  }
}

/** Reads and writes with ids of another workspace: each answers as if there were no such thing. */
export class ReachAcross extends Command {
  constructor(
    readonly actor: Actor,
    readonly at: number,
  ) {
    super("reach across", { actor, at });
  }

  protected async act(model: Model, world: World): Promise<void> {
    const chosen = choose(model, this.actor);
    if (!isLetIn(chosen, world.nowMs)) return;
    const others = model.workspaces.filter((other) => other !== chosen.workspace);
    const asset = pick(
      others.flatMap((other) => other.assets),
      this.at,
    );
    const job = pick(
      others.flatMap((other) => other.jobs),
      this.at,
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
      expect((await world.request({ ...attempt, secret: chosen.key.secret })).status).toBe(404);
    }
  }
}
