import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import { LIMITS } from "#api/limits.ts";
import { TRIAL_SCOPES } from "#api/scopes.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { DIRECTORY, type Home } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import type { ApiKey } from "../keys/api-key.ts";
import { prepareKey } from "../keys/create-key.ts";
import type { KeyDatabase } from "../keys/service.ts";
import { insertCreditEvent } from "../ledger/store.ts";
import { insertWorkspace, runningClaim, upsertClaim } from "./store.ts";

/** Identifies a trial client; only its HMAC is stored. */
export interface TrialIdentity {
  readonly address: string;
  readonly userAgent: string;
  readonly clientMarker: string;
}

/** The identity's hash. Fields are length-prefixed, so that different identities never give the same text. */
export const hashIdentity = (trialSecret: string, identity: TrialIdentity): Promise<string> =>
  hmacSha256Hex(
    trialSecret,
    [identity.address, identity.userAgent, identity.clientMarker]
      .map((member) => `${member.length}:${member}`)
      .join("|"),
  );

export interface ClaimedTrial {
  readonly workspaceId: string;
  readonly expiresAt: number;
  readonly apiKey: ApiKey;
  readonly secret: string;
  readonly credits: number;
}

/** Refuses with 429 TRIAL_ALREADY_CLAIMED while an earlier claim of the identity is running. */
export async function refuseRunningTrial(
  db: D1Database,
  identityHash: string,
  nowMs: number,
): Promise<Outcome<void>> {
  const running = await runningClaim.first(latest(db), { identityHash, nowMs });
  return running === null ? accept(undefined) : alreadyClaimed(running.expiresAt, nowMs);
}

/**
 * Creates a one-hour workspace with its key and grant, in one batch with its claim. On a shard the claim follows in a
 * second batch. 429 TRIAL_ALREADY_CLAIMED while an earlier claim of the identity is running. Of two concurrent claims
 * one succeeds: the other's claim row would have no workspace, so NOT NULL fails its batch. A committed batch whose
 * response was lost counts as success, because only this response has the secret.
 */
export async function claimTrial(
  database: KeyDatabase & { readonly home: Home; readonly databases: Databases },
  identityHash: string,
  nowMs: number,
): Promise<Outcome<ClaimedTrial>> {
  const { db, home } = database;
  const { directory } = database.databases;
  const workspaceId = newId();
  const expiresAt = nowMs + LIMITS.trialLifetimeMs;
  const key = await prepareKey(database, {
    ...{ workspaceId, name: "Trial key", kind: "trial", scopes: TRIAL_SCOPES, expiresAt, nowMs },
  });
  const workspace = {
    ...({ workspaceId, name: "Trial", kind: "trial", hasUnlimitedAccess: false } as const),
    ...{ createdAt: nowMs, expiresAt },
  };
  const claim = upsertClaim.bind(directory, { identityHash, workspaceId, nowMs, expiresAt });
  const contents = [
    key.statement,
    insertCreditEvent.bind(db, {
      workspaceId,
      type: "grant",
      amount: LIMITS.trialCredits,
      reference: `workspace:${workspaceId}:trial-grant`,
      description: LEDGER_DESCRIPTIONS.trial,
      nowMs,
    }),
  ];
  try {
    if (home === DIRECTORY) {
      await db.batch([insertWorkspace.bind(db, { ...workspace, home: null }), claim, ...contents]);
    } else {
      // The claim comes last: a trial without a claim has a key that was never shown, and it expires.
      await db.batch([insertWorkspace.bind(db, { ...workspace, home: null }), ...contents]);
      await directory.batch([insertWorkspace.bind(directory, { ...workspace, home }), claim]);
    }
  } catch (thrown) {
    const winner = await runningClaim.first(latest(directory), { identityHash, nowMs });
    if (winner === null) throw thrown;
    // The winner is this claim if its batch was committed and only the response was lost.
    if (winner.workspaceId !== workspaceId) return alreadyClaimed(winner.expiresAt, nowMs);
  }
  return accept({
    workspaceId,
    expiresAt,
    apiKey: key.apiKey,
    secret: key.secret,
    credits: LIMITS.trialCredits,
  });
}

const alreadyClaimed = (endsAtMs: number, nowMs: number): Outcome<never> => ({
  ...refuse("TRIAL_ALREADY_CLAIMED", "This client already has an active trial."),
  retryAfterSeconds: (endsAtMs - nowMs) / 1_000,
  // The client may claim again when its running trial ends, which does not depend on the route's rate-limit window.
  fullWindow: { limit: 1, resetsAtMs: endsAtMs },
});
