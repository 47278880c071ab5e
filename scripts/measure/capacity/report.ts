import { table } from "../../make/docs/markdown-table.ts";
import type { BillLine } from "./bill.ts";
import { type Estimate, type ShardYear, YEAR_MARKS } from "./estimate-capacity.ts";
import type { Limit } from "./limits.ts";

/** The estimate as tables, for a terminal and for docs/scaling.md alike. */

/** Two or three digits that matter, with the unit behind: 1.6 s, 240 ms. */
function duration(ms: number): string {
  if (ms < 1_000) return `${digits(ms)} ms`;
  return ms < 600_000 ? `${digits(ms / 1_000)} s` : `${digits(ms / 60_000)} min`;
}

function digits(value: number): string {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(value >= 1_000 ? 3 : 2));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** As 16 million; powers of ten beyond that. */
function large(value: number): string {
  if (value >= 1e12) return `${digits(value / 1e9)} thousand million`.replace(" thousand million", " × 10⁹");
  if (value >= 1e9) return `${digits(value / 1e9)} × 10⁹`;
  return value >= 1e6 ? `${digits(value / 1e6)} million` : digits(Math.round(value));
}

const gigabytes = (bytes: number): string => `${digits(bytes / 1e9)} GB`;
const dollars = (value: number): string =>
  `$${value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
const percent = (share: number): string => `${digits(share * 100)} %`;

export const REPORT_TABLES = {
  load: ({ scenario, outputsPerPack }: Estimate): string => {
    const packs = scenario.outputsAMonth / outputsPerPack;
    const second = packs / 30 / 86_400;
    const rows: readonly (readonly [string, number, number])[] = [
      ["outputs", scenario.outputsAMonth, second * outputsPerPack],
      ["packs", packs, second],
    ];
    return table(
      ["what", "a month", "a second, mean", "a second, at the peak of a day"],
      rows.map(([what, month, mean]) => [
        what,
        large(month),
        digits(mean),
        digits(mean * (1 + scenario.wave)),
      ]),
    );
  },
  pack: ({ times, busyConsumers, scenario }: Estimate): string =>
    table(
      ["figure", "estimate"],
      [
        ["time to the response of `POST /jobs`", duration(times.toResponseMs)],
        ["time to a pack", duration(times.toPackMs)],
        ["a message's time in its consumer", duration(times.consumerMs)],
        ["consumers at work at the peak", `${digits(busyConsumers)} of ${scenario.consumers}`],
        ["what a pack takes of its database", duration(times.databaseMs)],
      ],
    ),
  shards: ({ shards }: Estimate): string => {
    const named = [
      ["the fullest", shards[0]],
      ["the second", shards[1]],
      ["the middle one", shards[Math.floor(shards.length / 2)]],
      ["the emptiest", shards.at(-1)],
    ] as const;
    return table(
      [
        "shard",
        "workspaces",
        "of the load",
        "rows written in a year",
        "batches that write",
        ...YEAR_MARKS.map((day) => `day ${day}`),
        "full on day",
      ],
      named.flatMap(([name, shard]) => (shard === undefined ? [] : [shardRow(name, shard)])),
    );
  },
  limits: ({ limits, scenario }: Estimate): string =>
    table(
      ["limit", "reached at outputs a month", "of the load", "then"],
      limits.map(({ id, outputsAMonth }) => [
        LIMIT_WORDS[id].what,
        large(outputsAMonth),
        `${digits(outputsAMonth / scenario.outputsAMonth)} ×`,
        LIMIT_WORDS[id].remedy,
      ]),
    ),
  bill: ({ bill, dollarsPer1000Outputs }: Estimate): string =>
    table(
      ["line", "used in a month", "included", "dollars"],
      [
        ...bill.map((line) => billRow(line)),
        ["for 1,000 outputs", "", "", `$${dollarsPer1000Outputs.toFixed(4)}`],
      ],
    ),
} as const satisfies Readonly<Record<string, (answer: Estimate) => string>>;

const shardRow = (name: string, shard: ShardYear): readonly string[] => [
  name,
  digits(shard.workspaces),
  percent(shard.share),
  large(shard.rowsWritten),
  large(shard.writingCalls),
  ...shard.bytes.map(gigabytes),
  shard.fullOnDay === null ? "–" : String(shard.fullOnDay),
];

const LIMIT_WORDS: Readonly<Record<Limit["id"], { readonly what: string; readonly remedy: string }>> = {
  "fullest-shard": { what: "the fullest shard has 10 GB after a year", remedy: "another shard" },
  "largest-workspace": {
    what: "the largest workspace alone has 10 GB after a year",
    remedy: "it cannot be split: less must stay of each pack",
  },
  "all-databases": {
    what: "all databases have 1 TB, an account's, after a year",
    remedy: "ask the platform for more",
  },
  writer: { what: "the busiest shard's writer has no time left at the peak", remedy: "another shard" },
  consumers: { what: "all consumers are busy at the peak", remedy: "a higher `max_concurrency`" },
  "consumers-most": { what: "… with the platform's 250", remedy: "a second queue" },
  queue: { what: "5,000 messages a second in the queue", remedy: "a second queue" },
  sweep: {
    what: "the sweep cannot remove a shard's files as fast as they expire",
    remedy: "a higher limit a run",
  },
  key: { what: "the largest workspace meets the rate window of one key", remedy: "it takes more keys" },
};

const BILL_WORDS: Readonly<Record<BillLine["what"], string>> = {
  plan: "Workers Paid",
  requests: "requests and queue batches",
  cpuMs: "CPU, ms",
  d1RowsWritten: "D1 rows written, index entries among them",
  d1RowsRead: "D1 rows read",
  d1GbMonths: "D1 storage, GB in the twelfth month",
  r2ClassA: "R2 writes",
  r2ClassB: "R2 reads",
  r2GbMonths: "R2 storage, GB",
  queueOperations: "queue operations",
  objectRequests: "object requests, at most",
  objectGbSeconds: "object duration, GB seconds",
  objectRowsWritten: "object rows written, at most",
  logLines: "log lines",
  together: "together",
};

const billRow = ({ what, used, included, dollars: amount }: BillLine): readonly string[] => [
  BILL_WORDS[what],
  what === "plan" || what === "together" ? "" : large(used),
  included === 0 ? "" : large(included),
  dollars(amount),
];
