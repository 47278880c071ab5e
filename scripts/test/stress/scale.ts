/** How much the stress tests try: a taste in `npm test`, everything in `npm run test:stress`. */
export interface StressScale {
  /** Null lets each property choose; a printed seed replays its run. */
  readonly seed: number | null;
  /** Of the sequences, this part of that many runs here. */
  readonly shard: { readonly index: number; readonly total: number };
  readonly sequences: number;
  readonly commandsMax: number;
  /** Histories of payment events. */
  readonly eventSequences: number;
  /** Every n-th step is crashed; 1 crashes at each. */
  readonly crashStride: number;
  /** Databases for workspaces beside `DB`, between which workspaces move in every part; 0 for all in `DB`. */
  readonly shards: number;
  readonly kills: number;
  readonly killJobs: number;
  /** Jobs that are drained, and the workspaces that they are shared by evenly. */
  readonly drainJobs: number;
  readonly drainWorkspaces: number;
  /** Hostile files made by changing good ones. */
  readonly mutations: number;
  /** How long a part may take. */
  readonly partMsMax: number;
  /** When the part is ended, in Unix milliseconds; null where nobody ends it. */
  readonly endsAtMs: number | null;
  /** Whether `npm run test:stress` reads the result, and says of a run that was too short that it is not finished. */
  readonly isEvaluatedByTable: boolean;
  readonly isQuick: boolean;
}

const QUICK = {
  sequences: 4,
  commandsMax: 20,
  eventSequences: 16,
  crashStride: 101,
  kills: 1,
  killJobs: 4,
  drainJobs: 100,
  drainWorkspaces: 10,
  mutations: 150,
};

const FULL = {
  sequences: 2_000,
  commandsMax: 60,
  eventSequences: 2_000,
  crashStride: 1,
  kills: 20,
  killJobs: 200,
  drainJobs: 100_000,
  drainWorkspaces: 1_000,
  mutations: 21_000,
};

/** Whether figures of a whole run were lowered or raised by hand; its least counts then say nothing. */
export const isScaledByHand = (environment: NodeJS.ProcessEnv): boolean =>
  Object.keys(environment).some((name) =>
    /^STRESS_(SEQUENCES|EVENT_SEQUENCES|COMMANDS_MAX|CRASH_STRIDE|KILLS|KILL_JOBS|DRAIN_JOBS|DRAIN_WORKSPACES|MUTATIONS)$/.test(
      name,
    ),
  );

/** A whole number of at least 1 from a variable, or what stands otherwise. */
const numberOr = (text: string | undefined, otherwise: number): number =>
  /^[1-9]\d{0,9}$/.test(text ?? "") ? Number(text) : otherwise;

/** Longer than any part takes on a busy machine; one that hangs is ended. */
const PART_MINUTES = 25;

/** How long a part may take: STRESS_MINUTES, or what it takes longer than most, or what stands otherwise. */
export const partMsMaxOf = (environment: NodeJS.ProcessEnv, minutes: number = PART_MINUTES): number =>
  numberOr(environment.STRESS_MINUTES, minutes) * 60_000;

/**
 * STRESS_SCALE=full or nothing; single figures by STRESS_SEQUENCES, STRESS_COMMANDS_MAX, STRESS_EVENT_SEQUENCES, STRESS_CRASH_STRIDE,
 * STRESS_KILLS, STRESS_KILL_JOBS, STRESS_DRAIN_JOBS, STRESS_DRAIN_WORKSPACES, STRESS_MUTATIONS; STRESS_SEED replays; STRESS_SHARD is "1/2" and the like;
 * STRESS_MINUTES is how long a part may take; SHARDS is how many databases there are for workspaces.
 */
export function readStressScale(environment: NodeJS.ProcessEnv): StressScale {
  const scale = environment.STRESS_SCALE === "full" ? FULL : QUICK;
  const [index, total] = (environment.STRESS_SHARD ?? "1/1").split("/").map(Number);
  const seed = Number(environment.STRESS_SEED ?? "");
  return {
    seed: environment.STRESS_SEED !== undefined && Number.isSafeInteger(seed) ? seed : null,
    shard: { index: index ?? 1, total: total ?? 1 },
    sequences: numberOr(environment.STRESS_SEQUENCES, scale.sequences),
    commandsMax: numberOr(environment.STRESS_COMMANDS_MAX, scale.commandsMax),
    eventSequences: numberOr(environment.STRESS_EVENT_SEQUENCES, scale.eventSequences),
    crashStride: numberOr(environment.STRESS_CRASH_STRIDE, scale.crashStride),
    shards: numberOr(environment.SHARDS, 0),
    kills: numberOr(environment.STRESS_KILLS, scale.kills),
    killJobs: numberOr(environment.STRESS_KILL_JOBS, scale.killJobs),
    drainJobs: numberOr(environment.STRESS_DRAIN_JOBS, scale.drainJobs),
    drainWorkspaces: numberOr(environment.STRESS_DRAIN_WORKSPACES, scale.drainWorkspaces),
    mutations: numberOr(environment.STRESS_MUTATIONS, scale.mutations),
    partMsMax: partMsMaxOf(environment),
    endsAtMs: environment.STRESS_ENDS_AT === undefined ? null : Number(environment.STRESS_ENDS_AT),
    isEvaluatedByTable: environment.STRESS_PART !== undefined,
    isQuick: environment.STRESS_SCALE !== "full",
  };
}
