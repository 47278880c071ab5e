import { parseArgs } from "node:util";
import { Failure } from "../../local/failure.ts";

/** A part of `npm run test:stress`: test files of one vitest project, whose tests call `reportStress`. */
export interface StressPart {
  /** Also the name of its files in .cache/stress. */
  readonly name: string;
  readonly title: string;
  readonly project: "integration" | "stress";
  readonly paths: readonly string[];
  /** Minimum counts of a full run. A lower count means that the part did not try everything. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** Minimum number of workspace moves in a full run with shards. */
  readonly movesMin: number;
  /** Whether its temporary files may be in memory. Files that must survive a kill need a disk. */
  readonly isInMemory: boolean;
  /** Value of STRESS_SHARD for its tests. */
  readonly shard?: string;
  /** Its time limit, if it differs from the default. */
  readonly minutesMax?: number;
}

const INTEGRATION = { project: "integration", isInMemory: true } as const;

const ofFaults = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/fault/${name}`);

/** On a busy machine and with moves, a model part took 45 minutes, and a crash part more than 25. */
const LONG_MINUTES = 75;

const MODEL = {
  ...INTEGRATION,
  title: "Any history agrees with the model",
  paths: ["test/property"],
  atLeast: { sequences: 1_000, commands: 20_000, "in the longest": 55 },
  movesMin: 1_000,
  minutesMax: LONG_MINUTES,
};
const CRASH = {
  ...INTEGRATION,
  title: "A crash at any step changes no outcome",
  movesMin: 300,
  minutesMax: LONG_MINUTES,
};
/** Shared settings of the parts `move-1` and `move-2`. Each of the two crashes every other step. */
const MOVE = {
  ...INTEGRATION,
  title: "A move that crashes at any step loses no row",
  paths: ["test/shards"],
  atLeast: { steps: 100, crashes: 200 },
  movesMin: 0,
};

export const STRESS_PARTS: readonly StressPart[] = [
  // Runs first, because it takes half as long as all other parts together. It always has four databases.
  {
    name: "drain",
    title: "A large load of small jobs is drained",
    project: "stress",
    paths: ["test/stress/drain"],
    atLeast: { "jobs drained": 100_000, "workspaces drained": 1_000 },
    movesMin: 0,
    isInMemory: true,
    minutesMax: 120,
  },
  { ...MODEL, name: "model-1", shard: "1/2" },
  { ...MODEL, name: "model-2", shard: "2/2" },
  // All files of test/fault, in three parts of about equal length.
  {
    ...CRASH,
    name: "crash-1",
    paths: ofFaults(
      ...[
        "crash-accounts",
        "crash-audit",
        "crash-images",
        "crash-import",
        "crash-mail",
        "crash-upload",
        "fair-queue",
        "lost-answers",
      ],
      ...["old-packs", "pack-", "rate-limit-faults", "round-trips", "sweep-requests"],
    ),
    atLeast: { steps: 80, crashes: 320, "rate-limited requests": 320 },
  },
  {
    ...CRASH,
    name: "crash-2",
    paths: ofFaults("crash-consumer", "crash-deliveries", "crash-job", "enqueue-jobs", "overlapping-"),
    atLeast: {
      steps: 170,
      crashes: 680,
      "overlapping redeliveries": 30,
      "overlapping requests": 10,
      "overlapping attempts": 100,
    },
    movesMin: 600,
  },
  {
    ...CRASH,
    name: "crash-3",
    paths: ofFaults(
      "crash-order",
      "crash-queue-slots",
      "crash-sweeps",
      "image-faults",
      "order-faults",
      "test-keys-ledger",
      "video-queue",
    ),
    atLeast: { steps: 80, crashes: 320, "order faults": 1_000, "faults over images": 500 },
  },
  { ...MOVE, name: "move-1", shard: "1/2" },
  { ...MOVE, name: "move-2", shard: "2/2" },
  {
    ...INTEGRATION,
    name: "billing",
    title: "Credits match the provider's money",
    paths: ["test/billing"],
    atLeast: {
      "event histories": 2_000,
      "kinds of events": 20,
      "overlapping events": 100,
      steps: 60,
      crashes: 240,
      "forged events": 15,
    },
    movesMin: 2_000,
    // With moves a history takes most of a second of CPU time.
    minutesMax: 120,
  },
  {
    name: "kill",
    title: "Killed processes lose no job",
    project: "stress",
    paths: ["test/stress/kill"],
    atLeast: { kills: 20, "jobs through kills": 200 },
    movesMin: 1,
    isInMemory: false,
  },
  {
    name: "bytes",
    title: "Reading hostile bytes ends with a result",
    project: "stress",
    paths: ["test/corpus"],
    atLeast: { bombs: 130, mutations: 20_000 },
    movesMin: 0,
    isInMemory: false,
  },
  {
    ...INTEGRATION,
    name: "bytes-http",
    title: "Requests with hostile uploads end correctly",
    paths: ["test/integration/hostile-"],
    atLeast: { "bombs over HTTP": 130 },
    movesMin: 20,
  },
  {
    ...INTEGRATION,
    name: "access",
    title: "Access without permission is refused",
    paths: ["test/integration/access-", "test/integration/account-", "test/integration/authentication"],
    atLeast: { "access attempts": 120 },
    movesMin: 30,
  },
  {
    ...INTEGRATION,
    name: "logs",
    title: "Logs of the main flows contain no secrets",
    paths: ["test/integration/logs"],
    atLeast: { "log lines": 50 },
    movesMin: 3,
  },
];

/** Minimum counts of a part in a full run with that many shards. */
export const atLeastOf = ({ atLeast, movesMin }: StressPart, shards: number): StressPart["atLeast"] =>
  shards > 0 && movesMin > 0 ? { moves: movesMin, ...atLeast } : atLeast;

/** Maximum number of shards in tests: test/support/shards.ts. */
const TEST_SHARDS_MAX = 4;

/** Parses `[part …] [--shards N]`: the named parts, or all; the shards default to SHARDS of the environment. */
export function readStressArguments(given: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parseArgs({
    args: [...given],
    options: { shards: { type: "string" } },
    allowPositionals: true,
  });
  const text = values.shards ?? environment.SHARDS ?? "0";
  const shards = Number(text);
  // With only one shard, no workspace could move to another.
  if (shards !== 0 && !(Number.isInteger(shards) && shards >= 2 && shards <= TEST_SHARDS_MAX)) {
    throw new Failure(`--shards takes 0, or a number from 2 to ${TEST_SHARDS_MAX}, not ${text}.`);
  }
  const unknown = positionals.filter((name) => !STRESS_PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = STRESS_PARTS.map(({ name }) => name).join(", ");
    throw new Failure(`There is no part ${unknown.join(", ")}. The parts are ${known}.`);
  }
  return {
    parts: STRESS_PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    shards,
  };
}
