import { countOpen, isOpen, readBooks, type Send } from "./books.ts";
import { untilNextLook } from "./http-client.ts";
import type { LocalService } from "./local-service.ts";

/** Lets a service that was killed finish its work, without waiting for hours. */

/** Longer than the longest lease, and than the time after which the sweep treats a message as lost. */
const LOST_MS = 16 * 60_000;
/** Each round advances the time by 16 minutes; a job has at most five attempts. */
const ROUNDS_MAX = 12;
/** Twenty seconds of polls. Jobs that are still open then wait for a lease or a lost message. */
const LOOKS_MAX = 100;

const LIVES_HERE =
  "workspace_id IN (SELECT workspace_id FROM workspaces WHERE home IS NULL AND moving_since IS NULL)";

/** Moves the stored times of the databases back by sixteen minutes, after which the sweep treats messages as lost. */
const passTime = (service: LocalService) =>
  service.betweenRuns((db) =>
    db.batch([
      db
        .prepare(
          `UPDATE jobs SET dispatched_at = dispatched_at - ?1, created_at = created_at - ?1 WHERE ${LIVES_HERE}`,
        )
        .bind(LOST_MS),
      db
        .prepare(
          `UPDATE job_parts SET lease_until = lease_until - ?1
             WHERE job_id IN (SELECT job_id FROM jobs WHERE ${LIVES_HERE})`,
        )
        .bind(LOST_MS),
    ]),
  );

/** Runs sweeps until no job of the workspace is open, or gives up. Returns the number of open jobs. */
export async function untilEnded(service: LocalService, send: Send, secret: string): Promise<number> {
  for (let round = 0; ; round += 1) {
    const open = (await readBooks(send, secret)).jobs.filter(isOpen);
    if (open.length === 0 || round === ROUNDS_MAX) return open.length;
    await passTime(service);
    // A sweep sends at most fifty jobs, or fewer with shards.
    for (let sent = 0; sent < open.length; sent += 15) await service.sweep();
    for (let look = 0; look < LOOKS_MAX && (await countOpen(send, secret)) > 0; look += 1) {
      await untilNextLook();
    }
  }
}
