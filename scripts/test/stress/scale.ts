/** Scale of the stress tests: small in `npm test`, full in `npm run test:stress`. */

/** Each figure for a quick run and for a full run. */
const FIGURES = {
  sequences: [4, 2_000],
  commandsMax: [20, 60],
  /** Histories of payment events. */
  eventSequences: [16, 2_000],
  /** Crashes every n-th step; 1 crashes every step. */
  crashStride: [101, 1],
  /** Faults injected into jobs that import files by URL. */
  orderFaults: [100, 1_000],
  kills: [1, 20],
  killJobs: [4, 200],
  /** Jobs to drain, and the workspaces that share them evenly. */
  drainJobs: [100, 100_000],
  drainWorkspaces: [10, 1_000],
  /** Hostile files, derived from valid ones. */
  mutations: [150, 21_000],
} as const;

type Figure = keyof typeof FIGURES;
type Environment = Readonly<Record<string, string | undefined>>;

export interface StressScale extends Readonly<Record<Figure, number>> {
  /** Null if each property chooses its own seed. A printed seed replays its run. */
  readonly seed: number | null;
  /** The share of the sequences that this process runs. */
  readonly shard: { readonly index: number; readonly total: number };
  /** Databases for workspaces besides `DB`, between which workspaces move in every part; 0 for only `DB`. */
  readonly shards: number;
  /** Time limit of a part. */
  readonly partMsMax: number;
  /** Time at which the part is killed, in Unix milliseconds; null outside of `npm run test:stress`. */
  readonly endsAtMs: number | null;
  /** Whether `npm run test:stress` reads the result and reports an incomplete run. */
  readonly isEvaluatedByTable: boolean;
  readonly isQuick: boolean;
}

/** A figure's variable: STRESS_COMMANDS_MAX for `commandsMax`. */
const variableOf = (figure: string): string =>
  `STRESS_${figure.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;

/** Whether a variable overrides a figure of a full run; the minimum counts then do not apply. */
export const isScaledByHand = (environment: Environment): boolean =>
  Object.keys(FIGURES).some((figure) => environment[variableOf(figure)] !== undefined);

/** A positive whole number from a variable, or the default. */
const numberOr = (text: string | undefined, otherwise: number): number =>
  /^[1-9]\d{0,9}$/.test(text ?? "") ? Number(text) : otherwise;

/** Default time limit of a part, longer than most parts take on a busy machine. */
const PART_MINUTES = 25;

/**
 * Reads STRESS_SCALE=full, the figures' own variables, STRESS_SEED for a replay, STRESS_SHARD such as "1/2", and
 * SHARDS.
 */
export function readStressScale(environment: Environment): StressScale {
  const isQuick = environment.STRESS_SCALE !== "full";
  const figures = Object.fromEntries(
    Object.entries(FIGURES).map(([name, [quick, whole]]) => [
      name,
      numberOr(environment[variableOf(name)], isQuick ? quick : whole),
    ]),
  ) as Record<Figure, number>;
  const [index = 1, total = 1] = (environment.STRESS_SHARD ?? "1/1").split("/").map(Number);
  const seed = Number(environment.STRESS_SEED ?? "");
  return {
    ...figures,
    seed: environment.STRESS_SEED !== undefined && Number.isSafeInteger(seed) ? seed : null,
    shard: { index, total },
    shards: numberOr(environment.SHARDS, 0),
    partMsMax: numberOr(environment.STRESS_MINUTES, PART_MINUTES) * 60_000,
    endsAtMs: environment.STRESS_ENDS_AT === undefined ? null : Number(environment.STRESS_ENDS_AT),
    isEvaluatedByTable: environment.STRESS_PART !== undefined,
    isQuick,
  };
}

/** A part's time limit, and the variables for its tests. STRESS_MINUTES overrides the part's own limit. */
export function partEnvironment(
  part: { readonly name: string; readonly shard?: string; readonly minutesMax?: number },
  environment: Environment,
  shards: number,
  nowMs: number,
) {
  const minutes = numberOr(environment.STRESS_MINUTES, part.minutesMax ?? PART_MINUTES);
  const variables = {
    NO_COLOR: "1",
    STRESS_SCALE: "full",
    ...(part.shard === undefined ? {} : { STRESS_SHARD: part.shard }),
    STRESS_PART: part.name,
    SHARDS: String(shards),
    STRESS_MINUTES: String(minutes),
    STRESS_ENDS_AT: String(nowMs + minutes * 60_000),
  };
  return { partMsMax: minutes * 60_000, variables };
}
