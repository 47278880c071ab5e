/**
 * The parts of `npm run test:stress`. A part is one command of node_modules/.bin that ends with 0 and leaves
 * `.cache/stress/<name>.json` (see result.ts). Tests that call `reportStress` leave it by themselves when the part
 * is a vitest run (`vitestPart`); any other command writes the file on its own.
 */
export interface StressPart {
  /** Also the name of its files under .cache/stress. */
  readonly name: string;
  /** What is shown to hold. */
  readonly title: string;
  readonly tool: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Counts that a whole run must reach; less means that something was not tried. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** Moves of workspaces between databases that a whole run with shards must reach; 0 of a part that has none. */
  readonly movesMin: number;
  /** Whether its temporary files may lie in memory; what survives a kill must lie on a disk. */
  readonly isInMemory?: boolean;
  /** How long it may take where nothing else is said, if not as long as most. */
  readonly minutesMax?: number;
}

/**
 * Moves of workspaces that a whole run of a part with shards must reach; one where nothing stands. In `bytes` there is no
 * service, `move-1` and `move-2` are of nothing but moves, and `drain` has four databases in any case.
 */
const MOVES_MIN: Readonly<Record<string, number>> = {
  bytes: 0,
  "move-1": 0,
  "move-2": 0,
  drain: 0,
  "model-1": 1_000,
  "model-2": 1_000,
  "crash-1": 300,
  "crash-2": 600,
  "crash-3": 300,
  billing: 2_000,
  access: 30,
  "bytes-http": 20,
  logs: 3,
};

/** Runs some test files of one vitest project. */
const vitestPart = (
  name: string,
  title: string,
  project: string,
  paths: readonly string[],
  atLeast: Readonly<Record<string, number>>,
  environment: Readonly<Record<string, string>> = {},
): StressPart => ({
  name,
  title,
  movesMin: MOVES_MIN[name] ?? 1,
  tool: "vitest",
  parameters: [
    "run",
    "--project",
    project,
    ...paths,
    "--reporter=default",
    "--reporter=./scripts/test/stress/reporter.ts",
  ],
  atLeast,
  environment,
  isInMemory: project === "integration",
});

const MODEL = { sequences: 1_000, commands: 20_000, "in the longest": 55 };
/** Beside moves, on a machine that had other work, the model took 45, and crashes more than 25. */
const LONG_MINUTES = 75;

const ofFaults = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/fault/${name}`);

/** All files of test/fault, in parts that take about as long as one another. */
const CRASH_1 = ofFaults(
  ...["crash-accounts", "crash-import", "crash-mail", "crash-upload", "fair-queue", "lost-answers"],
  ...["old-packs", "pack-", "rate-limit-faults", "round-trips", "sweep-requests"],
);
const CRASH_2 = ofFaults("crash-consumer", "crash-deliveries", "crash-job", "enqueue-jobs", "overlapping-");
const CRASH_3 = ofFaults("crash-queue-slots", "crash-sweeps");

/** Each half breaks off at every other crash of all steps. */
const MOVE = { steps: 100, crashes: 200 };

export const STRESS_PARTS: readonly StressPart[] = [
  // First, because it takes as long as half of the others.
  {
    ...vitestPart("drain", "A load of small jobs is drained", "stress", ["test/stress/drain"], {
      "jobs drained": 100_000,
      "workspaces drained": 1_000,
    }),
    isInMemory: true,
    minutesMax: 120,
  },
  {
    ...vitestPart("model-1", "Any history agrees with the model", "integration", ["test/property"], MODEL, {
      STRESS_SHARD: "1/2",
    }),
    minutesMax: LONG_MINUTES,
  },
  {
    ...vitestPart("model-2", "Any history agrees with the model", "integration", ["test/property"], MODEL, {
      STRESS_SHARD: "2/2",
    }),
    minutesMax: LONG_MINUTES,
  },
  {
    ...vitestPart("crash-1", "A crash at any step changes no outcome", "integration", CRASH_1, {
      steps: 80,
      crashes: 320,
      "rate-limited requests": 320,
    }),
    minutesMax: LONG_MINUTES,
  },
  {
    ...vitestPart("crash-2", "A crash at any step changes no outcome", "integration", CRASH_2, {
      steps: 170,
      crashes: 680,
      "overlapping redeliveries": 30,
      "overlapping requests": 10,
      "overlapping attempts": 100,
    }),
    minutesMax: LONG_MINUTES,
  },
  {
    ...vitestPart("crash-3", "A crash at any step changes no outcome", "integration", CRASH_3, {
      steps: 80,
      crashes: 320,
    }),
    minutesMax: LONG_MINUTES,
  },
  vitestPart("move-1", "A move broken off at any step loses no row", "integration", ["test/shards"], MOVE, {
    STRESS_SHARD: "1/2",
  }),
  vitestPart("move-2", "A move broken off at any step loses no row", "integration", ["test/shards"], MOVE, {
    STRESS_SHARD: "2/2",
  }),
  {
    ...vitestPart("billing", "Credits are those of the provider's money", "integration", ["test/billing"], {
      "event histories": 2_000,
      "kinds of events": 20,
      "overlapping events": 100,
      steps: 60,
      crashes: 240,
      "forged events": 15,
    }),
    // With moves a history takes most of a second of a processor.
    minutesMax: 120,
  },
  vitestPart("kill", "Killed processes lose no job", "stress", ["test/stress/kill"], {
    kills: 20,
    "jobs through kills": 200,
  }),
  vitestPart("bytes", "Hostile bytes end in an answer", "stress", ["test/corpus"], {
    bombs: 130,
    mutations: 20_000,
  }),
  vitestPart("bytes-http", "Hostile uploads cost nothing", "integration", ["test/integration/hostile-"], {
    "bombs over HTTP": 130,
  }),
  vitestPart(
    "access",
    "Nobody gets in",
    "integration",
    ["test/integration/access-", "test/integration/account-", "test/integration/authentication"],
    { "access attempts": 120 },
  ),
  vitestPart("logs", "Logs of the main flows tell nothing", "integration", ["test/integration/logs"], {
    "log lines": 50,
  }),
];

/** What a whole run of a part must reach, with that many shards. */
export const atLeastOf = (
  { atLeast, movesMin }: StressPart,
  shards: number,
): Readonly<Record<string, number>> =>
  shards > 0 && movesMin > 0 ? { moves: movesMin, ...atLeast } : atLeast;
