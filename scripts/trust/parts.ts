/**
 * The parts of `npm run test:trust`. A part is one command of node_modules/.bin that ends with 0 and leaves
 * `.cache/trust/<name>.json` (see result.ts). Tests that call `reportTrust` leave it by themselves when the part
 * is a vitest run (`vitestPart`); any other command writes the file on its own.
 */
export interface TrustPart {
  /** Also the name of its files under .cache/trust. */
  readonly name: string;
  /** What is shown to hold. */
  readonly title: string;
  readonly tool: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether its temporary files may lie in memory; what survives a kill must lie on a disk. */
  readonly isInMemory?: boolean;
}

/** Runs some test files of one vitest project. */
const vitestPart = (
  name: string,
  title: string,
  project: string,
  paths: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TrustPart => ({
  name,
  title,
  tool: "vitest",
  parameters: [
    ...["run", "--project", project, ...paths],
    ...["--reporter=default", "--reporter=./scripts/trust/reporter.ts"],
  ],
  environment,
  isInMemory: project === "integration",
});

export const TRUST_PARTS: readonly TrustPart[] = [
  vitestPart("model-1", "Any history agrees with the model", "integration", ["test/property"], {
    TRUST_SHARD: "1/2",
  }),
  vitestPart("model-2", "Any history agrees with the model", "integration", ["test/property"], {
    TRUST_SHARD: "2/2",
  }),
  vitestPart("crash", "A crash at any step changes no outcome", "integration", ["test/fault"]),
  vitestPart("kill", "Killed processes lose no job", "trust", ["test/trust/kill"]),
  vitestPart("storm", "Storms are answered exactly", "trust", ["test/trust/storm"]),
  vitestPart("bytes", "Hostile bytes end in an answer", "trust", ["test/corpus"]),
  vitestPart("bytes-http", "Hostile uploads cost nothing", "integration", ["test/integration/hostile-"]),
  vitestPart("access", "Nobody gets in", "integration", ["test/integration/access-"]),
  vitestPart("logs", "Logs of the main flows tell nothing", "integration", ["test/integration/logs"]),
  vitestPart("logs-built", "Logs of the built worker tell nothing", "trust", ["test/logs"]),
];
