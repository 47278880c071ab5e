/**
 * Simulates a deployment under a load, event by event, and prints what its packs take, what its shards hold, what breaks
 * first and what it costs: npm run simulate [-- --outputs-a-month 1e8 --shards 64 --json]. `--write` puts the tables into
 * docs/scaling.md, `--check` compares them, `--measure` runs the bench's case that holds the model against the service.
 */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ROUTE_FAMILIES } from "../src/api/limits.ts";
import { withTables } from "./docs/marked-tables.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";
import { readDeployed } from "./simulate/deployment.ts";
import { PACK_FIGURES } from "./simulate/pack-figures.ts";
import { REPORT_TABLES } from "./simulate/report.ts";
import { OPTIONS, readScenario } from "./simulate/scenario.ts";
import { platformTimes, readLastRun } from "./simulate/service-times.ts";
import { type Answer, outputsOf, simulateDeployment } from "./simulate/simulate-deployment.ts";

const DOCUMENT = "docs/scaling.md";
/** Artifacts that a run of the sweep expires (`ARTIFACTS_MAX` of src/queue/sweeps/file-sweeps.ts). */
const SWEPT_A_MINUTE = 500;

const FLAGS = {
  json: { type: "boolean" },
  write: { type: "boolean" },
  check: { type: "boolean" },
  measure: { type: "boolean" },
} as const;

function readValues() {
  try {
    return parseArgs({ options: { ...OPTIONS, ...FLAGS } }).values;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const options = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new Failure(
      `${thrown.message}\nThe options are ${options.join(", ")} and --json, --write, --check, --measure.`,
    );
  }
}

const tablesOf = (answer: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(REPORT_TABLES).map(([name, tableOf]) => [`simulated-${name}`, tableOf(answer)]),
  );

/** The answer without what is for drawing tables of it alone. */
const plain = (answer: Answer) => ({
  ...answer,
  days: {
    ...answer.days,
    ...Object.fromEntries(
      (["toPackMs", "toAnswerMs", "depth"] as const).map((name) => {
        const times = answer.days[name];
        return [
          name,
          { median: times.quantile(0.5), p99: times.quantile(0.99), mean: times.mean(), max: times.max() },
        ];
      }),
    ),
  },
});

/** In a process of its own, as the bench is always run. */
function measureService(): void {
  const { status } = spawnSync(process.execPath, [inRoot("bench/main.ts"), "--only", "model"], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

await runScript(async () => {
  const { json, write, check, measure, ...options } = readValues();
  if (measure) return measureService();
  const times = platformTimes(readLastRun(), outputsOf(PACK_FIGURES));
  const scenario = readScenario(options, await readDeployed());
  const isAsked = Object.keys(options).length > 0;
  if ((write || check) && isAsked) throw new Failure(`${DOCUMENT} has the load of no options.`);
  const answer = simulateDeployment(scenario, PACK_FIGURES, times, {
    sweptAMinute: SWEPT_A_MINUTE,
    jobsAMinute: ROUTE_FAMILIES.jobs,
  });
  if (json) return void console.log(JSON.stringify(plain(answer), null, 2));
  const tables = tablesOf(answer);
  if (!write && !check) {
    const { toPackMs, ...run } = answer.days;
    console.log(
      `Seed ${scenario.seed}: ${toPackMs.count()} packs in ${scenario.days} days, ${run.events} events.`,
    );
    for (const [name, text] of Object.entries(tables)) console.log(`\n${name}\n${text}`);
    return;
  }
  const before = await readFile(inRoot(DOCUMENT), "utf8");
  const after = withTables(DOCUMENT, before, tables);
  if (after === before) return;
  if (check)
    throw new Failure(`${DOCUMENT} is not what the simulator says; run: npm run simulate -- --write`);
  await writeFile(inRoot(DOCUMENT), after);
});
