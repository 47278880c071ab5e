import { type Line, line } from "./stations.ts";
import type { Placement } from "./workspaces.ts";

/** How many waiting jobs of a workspace are given places at once. */
const JOBS_PLACED_MAX = 100;

/**
 * Places in the queue as the service gives them, which knows of each database its own workspaces: a job is sent with all
 * its messages or waits, and a workspace with more to draw has its share of the messages that a database may have in
 * the queue. Jobs are numbers; all have equally many messages.
 */
export interface Places {
  /** Whether a new job has a place at once; else it waits. */
  readonly ask: (job: number, workspace: number) => boolean;
  /** A placed job has ended: the jobs of its workspace that have a place from now on. */
  readonly leave: (workspace: number) => readonly number[];
  /** What the sweep of every minute finds: waiting jobs that have a place from now on, workspace by workspace. */
  readonly sweep: (workspacesMax: number) => readonly number[];
  readonly waiting: () => number;
}

export function placesOf(
  placement: Placement,
  shards: number,
  messagesPerJob: number,
  queuedMessagesMax: number,
): Places {
  const placed = new Int32Array(placement.length);
  const lines = new Map<number, Line>();
  /** Of each shard: workspaces with jobs placed or waiting, those with waiting jobs, and what the others have placed. */
  const active = new Int32Array(shards);
  const waitingOf = Array.from({ length: shards }, () => new Set<number>());
  const calmPlaced = new Int32Array(shards);
  let waiting = 0;

  const placedOf = (workspace: number): number => placed[workspace] ?? 0;
  const shardOf = (workspace: number): number => placement[workspace] ?? 0;
  const isWaiting = (workspace: number): boolean => lines.has(workspace);
  const isActive = (workspace: number): boolean => isWaiting(workspace) || placedOf(workspace) > 0;
  /** Changes what a workspace has, and with it the sums of its shard. */
  const change = (workspace: number, work: () => void): void => {
    const shard = shardOf(workspace);
    const count = (sign: number) => {
      if (isActive(workspace)) active[shard] = (active[shard] ?? 0) + sign;
      if (!isWaiting(workspace)) calmPlaced[shard] = (calmPlaced[shard] ?? 0) + sign * placedOf(workspace);
    };
    count(-1);
    work();
    count(1);
    if (isWaiting(workspace)) waitingOf[shard]?.add(workspace);
    else waitingOf[shard]?.delete(workspace);
  };
  const shareOf = (workspace: number): number => {
    const shard = shardOf(workspace);
    const waits = isWaiting(workspace);
    const others = (active[shard] ?? 0) - (isActive(workspace) ? 1 : 0);
    const othersWaiting = (waitingOf[shard]?.size ?? 0) - (waits ? 1 : 0);
    const calm = (calmPlaced[shard] ?? 0) - (waits ? 0 : placedOf(workspace));
    return Math.max(
      Math.floor(queuedMessagesMax / (1 + others)),
      Math.floor((queuedMessagesMax - calm) / (1 + othersWaiting)),
    );
  };
  const giveNext = (workspace: number): readonly number[] => {
    const own = lines.get(workspace);
    if (own === undefined) return [];
    const share = shareOf(workspace);
    const before = placedOf(workspace);
    const room = (share - before) / messagesPerJob;
    const isWorthIt = before + Math.floor(share / 8) <= share && room >= 1;
    const jobs = Math.min(isWorthIt ? Math.floor(room) : 0, JOBS_PLACED_MAX);
    const given: number[] = [];
    change(workspace, () => {
      while (own.length() > 0 && given.length < Math.max(jobs, before === 0 ? 1 : 0)) given.push(own.shift());
      placed[workspace] = before + given.length * messagesPerJob;
      if (own.length() === 0) lines.delete(workspace);
    });
    waiting -= given.length;
    return given;
  };
  return {
    ask: (job, workspace) => {
      const before = placedOf(workspace);
      const fits = before === 0 || before + messagesPerJob <= shareOf(workspace);
      const hasPlace = !isWaiting(workspace) && fits;
      change(workspace, () => {
        if (hasPlace) placed[workspace] = before + messagesPerJob;
        else {
          const own = lines.get(workspace) ?? line();
          own.push(job);
          lines.set(workspace, own);
        }
      });
      if (!hasPlace) waiting += 1;
      return hasPlace;
    },
    leave: (workspace) => {
      change(workspace, () => {
        placed[workspace] = placedOf(workspace) - messagesPerJob;
      });
      return giveNext(workspace);
    },
    sweep: (workspacesMax) =>
      waitingOf.flatMap((workspaces) =>
        [...workspaces]
          .sort((one, other) => placedOf(one) - placedOf(other))
          .slice(0, workspacesMax)
          .flatMap(giveNext),
      ),
    waiting: () => waiting,
  };
}
