import type { AlertService } from "#platform/bindings/capabilities.ts";
import { toTimestamp } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { sendWebhook } from "../deliveries/webhook/send-webhook.ts";
import {
  alertStates,
  allFigures,
  deleteOldChanges,
  insertChange,
  markPosted,
  unpostedChanges,
} from "./figure-store.ts";
import { combineFigures, FIGURES, type Figure, isAlert, THRESHOLDS } from "./figures.ts";

/** Alerts of an origin: which figures exceed their thresholds, and the messages about them. */

/** Maximum number of posts per run. Each is a request that may take seconds. */
const POSTS_MAX = 10;
/** After a day a change that could not be posted is obsolete. */
const POSTED_MS_MAX = 24 * 3_600_000;
const KEPT_MS = 30 * 24 * 3_600_000;

export interface FigureState {
  readonly figure: Figure;
  readonly value: number;
  readonly threshold: number;
  readonly state: "ok" | "alert";
  /** The last change of state; null if the figure never alerted. */
  readonly since: string | null;
}

/** The last minute's figures with their states, and the time of the oldest measurement. */
export async function readFigures(directory: D1Database, nowMs: number) {
  const db = latest(directory);
  const [stored, states] = await db.batch([allFigures.bind(db, {}), alertStates.bind(db, {})]);
  const measured = allFigures.rows(stored);
  const known = new Map(alertStates.rows(states).map((change) => [change.figure, change]));
  const values = combineFigures(measured, nowMs);
  const figures = FIGURES.map((figure): FigureState => {
    const change = known.get(figure);
    return {
      figure,
      value: values[figure],
      threshold: THRESHOLDS[figure],
      state: change?.state ?? "ok",
      since: change === undefined ? null : toTimestamp(change.since),
    };
  });
  const oldestMs = measured.length === 0 ? null : Math.min(...measured.map(({ measuredAt }) => measuredAt));
  return { figures, measuredAt: oldestMs === null ? null : toTimestamp(oldestMs) };
}

/**
 * Records figures whose state changed, and posts the changes that the operator's webhook has not accepted, in order;
 * the next run retries. Returns how many states changed.
 */
export async function sweepAlerts(
  directory: D1Database,
  service: AlertService | null,
  nowMs: number,
): Promise<number> {
  const { figures } = await readFigures(directory, nowMs);
  let changed = 0;
  for (const { figure, value, threshold, state: before } of figures) {
    const state = isAlert(figure, value) ? "alert" : "ok";
    if (state === before) continue;
    const change = { changeId: newId(), figure, state, value, threshold, since: nowMs } as const;
    if ((await insertChange.run(directory, change)) === 0) continue;
    changed += 1;
    log.failure({ event: `figure_${state}`, code: figure, count: value });
  }
  if (changed > 0) await deleteOldChanges.run(directory, { beforeMs: nowMs - KEPT_MS });
  if (service !== null) await postChanges(directory, service, nowMs);
  return changed;
}

async function postChanges(directory: D1Database, service: AlertService, nowMs: number): Promise<void> {
  const waiting = { sinceMs: nowMs - POSTED_MS_MAX, limit: POSTS_MAX };
  for (const { changeId, since, ...change } of await unpostedChanges.all(directory, waiting)) {
    const timestamp = toTimestamp(since);
    const payload = JSON.stringify({
      type: `operations.${change.state}`,
      timestamp,
      data: { ...change, since: timestamp },
    });
    const { url, secret } = service;
    const sent = await sendWebhook({ url, messageId: changeId, payload, signingSecrets: [secret], nowMs });
    if (sent.kind !== "delivered") return log.failure({ event: "alert_not_posted", code: sent.code });
    await markPosted.run(directory, { changeId, nowMs });
  }
}
