import { table } from "../../make/docs/markdown-table.ts";
import { BILL_WORDS } from "./bill.ts";
import type { Estimate } from "./estimate.ts";
import { LIMIT_WORDS } from "./limits.ts";
import { YEAR_MARKS } from "./shards.ts";

/** Formats a number with two significant digits, or three from 1,000 on. */
const digits = (value: number): string =>
  Number(value.toPrecision(value >= 1_000 ? 3 : 2)).toLocaleString("en-US", { maximumFractionDigits: 3 });

/** Formats a time with its unit, such as 1.6 s or 240 ms. */
const duration = (ms: number): string => (ms < 1_000 ? `${digits(ms)} ms` : `${digits(ms / 1_000)} s`);

/** Formats a large number, such as 16 million; powers of ten beyond that. */
function large(value: number): string {
  if (value >= 1e9) return `${digits(value / 1e9)} × 10⁹`;
  return value >= 1e6 ? `${digits(value / 1e6)} million` : digits(Math.round(value));
}

const USD = { style: "currency", currency: "USD" } as const;
const SHARD_HEAD = ["shard", "workspaces", "of the load", "rows written in a year", "batches that write"];

/** The estimate's tables by name, for terminal and docs/scaling.md. */
export function reportTables(estimate: Estimate): Readonly<Record<string, string>> {
  const { scenario, outputsPerPack, times, shards } = estimate;
  const { outputsAMonth: outputs, wave } = scenario;
  const aSecond = (aMonth: number, rise = 0) => digits((aMonth / 30 / 86_400) * (1 + rise));
  const loadRow = (what: string, month: number) => [what, large(month), aSecond(month), aSecond(month, wave)];
  const shardRow = (name: string, place: number) =>
    shards
      .slice(place, place + 1)
      .map((shard) => [
        name,
        digits(shard.workspaces),
        `${digits(shard.share * 100)} %`,
        large(shard.rowsWritten),
        large(shard.writingCalls),
        ...shard.bytes.map((bytes) => `${digits(bytes / 1e9)} GB`),
        String(shard.fullOnDay ?? "–"),
      ]);
  return {
    "capacity-load": table(
      ["what", "a month", "a second, mean", "a second, at the peak of a day"],
      [loadRow("outputs", outputs), loadRow("packs", outputs / outputsPerPack)],
    ),
    "capacity-pack": table(
      ["figure", "estimate"],
      [
        ["time to the response of `POST /jobs`", duration(times.toResponseMs)],
        ["time to a pack", duration(times.toPackMs)],
        ["a message's time in its consumer", duration(times.consumerMs)],
        ["consumers at work at the peak", `${digits(estimate.busyConsumers)} of ${scenario.consumers}`],
        ["what a pack takes of its database", duration(times.databaseMs)],
      ],
    ),
    "capacity-shards": table(
      [...SHARD_HEAD, ...YEAR_MARKS.map((day) => `day ${day}`), "full on day"],
      [
        ...shardRow("the fullest", 0),
        ...shardRow("the second", 1),
        ...shardRow("the middle one", Math.floor(shards.length / 2)),
        ...shardRow("the emptiest", shards.length - 1),
      ],
    ),
    "capacity-limits": table(
      ["limit", "reached at outputs a month", "of the load", "then"],
      estimate.limits.map(({ id, outputsAMonth }) => {
        const [what = id, remedy = ""] = LIMIT_WORDS[id] ?? [];
        return [what, large(outputsAMonth), `${digits(outputsAMonth / outputs)} ×`, remedy];
      }),
    ),
    "capacity-bill": table(
      ["line", "used in a month", "included", "dollars"],
      [
        ...estimate.bill.map(({ used, included, dollars }, line) => {
          const amounts = included === 0 ? ["", ""] : [large(used), large(included)];
          return [BILL_WORDS[line] ?? "", ...amounts, dollars.toLocaleString("en-US", USD)];
        }),
        ["for 1,000 outputs", "", "", `$${estimate.dollarsPer1000Outputs.toFixed(4)}`],
      ],
    ),
  };
}
