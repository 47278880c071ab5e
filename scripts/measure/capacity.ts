/**
 * Estimates what a deployment holds under a load: time to a pack, growth of its shards, the first limit it reaches and its bill:
 * npm run capacity [-- --outputs-a-month 1e8 --shards 64 --json]. `--write` puts the tables into docs/scaling.md.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { type BenchFigure, readLastRun } from "../../bench/report/last-run.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { withTables } from "../make/docs/markdown-table.ts";
import { billOf, monthlyUse } from "./capacity/bill.ts";
import { busyConsumers, DATABASE_BYTES, limitsOf, packsADay } from "./capacity/limits.ts";
import { overPack, PACK_FIGURES, packTimes, platformTimes, sum } from "./capacity/pack.ts";
import { reportTables } from "./capacity/report.ts";
import { balancedShards, bytesAt, dayOver, sharesOf, YEAR_DAYS, YEAR_MARKS } from "./capacity/shards.ts";

const DOCUMENT = "docs/scaling.md";

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** The options; unless one sets another, the load of docs/scaling.md and the consumers of wrangler.toml. */
const OPTIONS = z.object({
  workspaces: count(1, 1_000_000).default(10_000),
  "outputs-a-month": z.coerce.number().min(1_000).max(1e11).default(1e8),
  shards: count(1, 5_000).default(64),
  /** Exponent of the Pareto tail over workspaces. */
  tail: z.coerce.number().gt(1).max(10).default(1.16),
  /** How far the wave of a day rises above its mean, as a share of it. */
  wave: z.coerce.number().min(0).max(1).default(0.8),
  /** The queue holds two messages for each (test/unit/queued-messages.test.ts). */
  consumers: count(1, 250).default(LIMITS.queuedMessagesMax / 2),
});

const NAMES = Object.keys(OPTIONS.shape);

function readValues() {
  const texts = Object.fromEntries(NAMES.map((name) => [name, { type: "string" } as const]));
  const options = { ...texts, json: { type: "boolean" }, write: { type: "boolean" } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const names = NAMES.map((name) => `--${name}`).join(", ");
    throw new Failure(`${thrown.message}\nThe options are ${names}, --json and --write.`);
  }
}

function readScenario(options: unknown) {
  const { data, error } = OPTIONS.safeParse(options);
  const issue = error?.issues[0];
  if (data === undefined) throw new Failure(`--${issue?.path.join(".")}: ${issue?.message}.`);
  const { "outputs-a-month": outputsAMonth, ...rest } = data;
  return { ...rest, outputsAMonth };
}

export type Scenario = ReturnType<typeof readScenario>;
export type Estimate = ReturnType<typeof estimateCapacity>;

/** What one deployment holds, reaches and costs under one load. */
function estimateCapacity(scenario: Scenario, bench: BenchFigure, figures = PACK_FIGURES) {
  const outputsPerPack = sum(figures.messages);
  const serviceTimes = platformTimes(bench, outputsPerPack);
  const times = packTimes(figures, serviceTimes);
  const shares = sharesOf(scenario.workspaces, scenario.tail);
  const shards = balancedShards(shares, scenario.shards);
  const [fullestShard = 1, largestWorkspace = 1] = [shards[0]?.share, shares[0]];
  const load = { scenario, figures, times, fullestShard, largestWorkspace };
  const packs = packsADay(load);
  const d1Rows = overPack(figures, ({ d1 }) => sum(d1));
  const d1Writes = overPack(figures, ({ d1 }) => d1.filter((rows) => rows > 0).length);
  const use = monthlyUse(load, times.pollsPerPack, serviceTimes);
  const bill = billOf(use);
  return {
    scenario,
    outputsPerPack,
    times,
    busyConsumers: busyConsumers(load),
    shards: shards.map((shard) => ({
      ...shard,
      rowsWritten: packs * shard.share * YEAR_DAYS * d1Rows,
      writingCalls: packs * shard.share * YEAR_DAYS * d1Writes,
      bytes: YEAR_MARKS.map((day) => bytesAt(day, packs * shard.share, figures)),
      fullOnDay: dayOver(DATABASE_BYTES, packs * shard.share, figures),
    })),
    limits: limitsOf(load),
    use,
    bill,
    dollarsPer1000Outputs: ((bill.at(-1)?.dollars ?? 0) / scenario.outputsAMonth) * 1_000,
  };
}

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
