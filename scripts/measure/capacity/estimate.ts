import type { BenchFigure } from "../../../bench/report/last-run.ts";
import { billOf, monthlyUse } from "./bill.ts";
import { busyConsumers, DATABASE_BYTES, limitsOf, packsADay } from "./limits.ts";
import { overPack, PACK_FIGURES, packTimes, platformTimes, sum } from "./pack.ts";
import type { Scenario } from "./scenario.ts";
import { balancedShards, bytesAt, dayOver, sharesOf, YEAR_DAYS, YEAR_MARKS } from "./shards.ts";

export type Estimate = ReturnType<typeof estimateCapacity>;

/** Capacity, limits and cost of one deployment under one load. */
export function estimateCapacity(scenario: Scenario, bench: BenchFigure, figures = PACK_FIGURES) {
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
