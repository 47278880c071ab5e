/**
 * Estimates a deployment under load: time to a pack, growth of shards, the first limit reached, and the bill: npm run
 * capacity [-- --outputs-a-month 1e8 --shards 64 --json].
 *
 * `--write` updates the tables in docs/scaling.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { readLastRun } from "../../bench/report/last-run.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { withTables } from "../make/docs/markdown-table.ts";
import { estimateCapacity } from "./capacity/estimate.ts";
import { reportTables } from "./capacity/report.ts";
import { readScenario, readValues } from "./capacity/scenario.ts";

const DOCUMENT = "docs/scaling.md";

await runScript(async () => {
  const { json, write, ...options } = readValues();
  if (write && Object.keys(options).length > 0) {
    throw new Failure(`${DOCUMENT} shows the default load; leave out the other options.`);
  }
  const estimate = estimateCapacity(readScenario(options), await readLastRun());
  if (json) return void console.log(JSON.stringify(estimate, null, 2));
  const tables = reportTables(estimate);
  if (write) {
    const document = await readFile(inRoot(DOCUMENT), "utf8");
    await writeFile(inRoot(DOCUMENT), withTables(DOCUMENT, document, tables));
  } else {
    for (const [name, text] of Object.entries(tables)) console.log(`\n${name}\n${text}`);
  }
});
