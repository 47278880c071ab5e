import { SCOPES, type Scope } from "../../../src/api/scopes.ts";
import { prepareKey } from "../../../src/keys/create-key.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createWorkspace, grantStatement } from "../../../src/workspaces/create-workspace.ts";
import { insertWorkspace } from "../../../src/workspaces/store.ts";
import type { Service } from "./service.ts";

/** What an operator would set up before a customer calls: workspaces, money and keys in any state. */

export interface SeededKey {
  readonly apiKeyId: string;
  readonly key: string;
}

export interface SeededWorkspace extends SeededKey {
  readonly workspaceId: string;
}

export interface WorkspaceSeed {
  readonly name?: string;
  readonly credits?: number;
  /** Grants of 1 credit beside `credits`, each an event of its own. */
  readonly grants?: number;
  readonly quota?: number;
  readonly unlimited?: boolean;
  readonly kind?: "trial";
  readonly expiresAt?: number;
}

const keysOf = (service: Service) => ({ db: service.db, keyPepper: service.keyPepper });

export async function seedWorkspace(service: Service, seed: WorkspaceSeed): Promise<SeededWorkspace> {
  if (seed.kind === "trial") return seedEndedTrial(service, seed.expiresAt ?? 1);
  const { workspaceId, apiKey, secret } = await createWorkspace(
    keysOf(service),
    {
      name: seed.name ?? "Seeded",
      credits: seed.credits ?? 0,
      subscription: seed.quota === undefined ? null : { quotaLimit: seed.quota, period: "month" },
      hasUnlimitedAccess: seed.unlimited ?? false,
    },
    Date.now(),
  );
  for (let grant = 0; grant < (seed.grants ?? 0); grant += 1) {
    await grantStatement(service.db, workspaceId, 1, Date.now()).run();
  }
  return { workspaceId, apiKeyId: apiKey.apiKeyId, key: secret };
}

async function seedEndedTrial(service: Service, expiresAt: number): Promise<SeededWorkspace> {
  const workspaceId = newId();
  const trial = { workspaceId, name: "Trial", kind: "trial" as const, hasUnlimitedAccess: false };
  await insertWorkspace.bind(service.db, { ...trial, createdAt: 1, expiresAt, home: null }).run();
  return { workspaceId, ...(await seedKey(service, workspaceId, {})) };
}

export interface KeySeed {
  readonly scopes?: readonly string[];
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

const isScope = (scope: string): scope is Scope => SCOPES.some((known) => known === scope);

export async function seedKey(service: Service, workspaceId: string, seed: KeySeed): Promise<SeededKey> {
  const prepared = await prepareKey(keysOf(service), {
    workspaceId,
    name: "Seeded key",
    kind: "live",
    scopes: seed.scopes?.filter(isScope) ?? SCOPES,
    expiresAt: seed.expiresAt ?? null,
    nowMs: Date.now(),
  });
  await prepared.statement.run();
  const { apiKeyId } = prepared.apiKey;
  if (seed.revokedAt !== undefined) {
    const revoke = service.db.prepare("UPDATE api_keys SET revoked_at = ? WHERE api_key_id = ?");
    await revoke.bind(seed.revokedAt, apiKeyId).run();
  }
  return { apiKeyId, key: prepared.secret };
}
