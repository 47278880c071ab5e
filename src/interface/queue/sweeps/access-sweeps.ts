import { deleteExpiredAccess } from "#domains/accounts/store.ts";
import { deleteExpiredKeys } from "#domains/idempotency/store.ts";
import { deleteExpiredSessionKeys } from "#domains/keys/session-key-store.ts";
import { deleteDeadKeys } from "#domains/keys/store.ts";
import { deleteOldShares } from "#domains/shares/store.ts";
import { expireTrials } from "#domains/workspaces/store.ts";
import { ROWS_MAX, type Sweep } from "./sweep.ts";

/** One statement each, in one batch. */
const TRIALS_MAX = 500;

/** Trials, keys, links, sessions and Idempotency-Keys whose time has passed. */
export const accessSweeps = (db: D1Database, nowMs: number): readonly Sweep[] => [
  { event: "sweep_trials", run: () => expireTrials(db, nowMs, TRIALS_MAX) },
  { event: "sweep_dead_keys", run: () => deleteDeadKeys(db, nowMs, ROWS_MAX) },
  { event: "sweep_shares", run: () => deleteOldShares(db, nowMs, ROWS_MAX) },
  {
    event: "sweep_session_keys",
    run: () => deleteExpiredSessionKeys.run(db, { nowMs, limit: ROWS_MAX }),
  },
  { event: "sweep_sessions", run: () => deleteExpiredAccess(db, nowMs, ROWS_MAX) },
  { event: "sweep_idempotency_keys", run: () => deleteExpiredKeys(db, nowMs, ROWS_MAX) },
];
