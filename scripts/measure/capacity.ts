/**
 * Estimates what a deployment holds under a load: time to a pack, growth of its shards, the first limit it reaches and its bill:
 * npm run capacity [-- --outputs-a-month 1e8 --shards 64 --json]. `--write` puts the tables into docs/scaling.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ROUTE_FAMILIES } from "#api/limits.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { withTables } from "../make/docs/markdown-table.ts";
import { readDeployed } from "./capacity/deployment.ts";
import { estimateCapacity, outputsOf } from "./capacity/estimate-capacity.ts";
import { PACK_FIGURES } from "./capacity/pack-figures.ts";
import { REPORT_TABLES } from "./capacity/report.ts";
import { OPTIONS, readScenario } from "./capacity/scenario.ts";
import { platformTimes, readLastRun } from "./capacity/service-times.ts";

const DOCUMENT = "docs/scaling.md";
/** Artifacts that a run of the sweep expires (`ARTIFACTS_MAX` of src/interface/queue/sweeps/file-sweeps.ts). */
const SWEPT_A_MINUTE = 500;

function readValues() {
  try {
    return parseArgs({ options: { ...OPTIONS, json: { type: "boolean" }, write: { type: "boolean" } } })
      .values;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const options = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new Failure(`${thrown.message}\nThe options are ${options.join(", ")}, --json and --write.`);
  }
}

await runScript(async () => {
  const { json, write, ...options } = readValues();
  if (write && Object.keys(options).length > 0) {
    throw new Failure(`${DOCUMENT} shows the default load; leave out the other options.`);
  }
  const times = platformTimes(readLastRun(), outputsOf(PACK_FIGURES));
  const scenario = readScenario(options, await readDeployed());
  const estimate = estimateCapacity(scenario, PACK_FIGURES, times, {
    sweptAMinute: SWEPT_A_MINUTE,
    jobsAMinute: ROUTE_FAMILIES.jobs,
  });
  if (json) return void console.log(JSON.stringify(estimate, null, 2));
  const tables = Object.fromEntries(
    Object.entries(REPORT_TABLES).map(([name, tableOf]) => [`capacity-${name}`, tableOf(estimate)]),
  );
  if (!write) {
    for (const [name, text] of Object.entries(tables)) console.log(`\n${name}\n${text}`);
    return;
  }
  const document = await readFile(inRoot(DOCUMENT), "utf8");
  await writeFile(inRoot(DOCUMENT), withTables(DOCUMENT, document, tables));
});
