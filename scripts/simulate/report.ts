import { table } from "../docs/markdown-table.ts";
import type { BillLine } from "./bill.ts";
import type { Limit } from "./limits.ts";
import { type Answer, type ShardYear, YEAR_MARKS } from "./simulate-deployment.ts";

/** The answers of the simulator as tables, for a terminal and for docs/scaling.md alike. */

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

/** Headings of the hours that are shown of a day. */
const HOURS_SHOWN = [0, 4, 8, 12, 16, 20] as const;

export const REPORT_TABLES = {
  load: ({ scenario, outputsPerPack }: Answer): string => {
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
  day: ({ days }: Answer): string =>
    table(
      ["figure", "median", "99th of 100", "most"],
      [
        ["time to a pack", ...spread(days.toPackMs)],
        ["time to the answer of POST /jobs", ...spread(days.toAnswerMs)],
        [
          "messages waiting in the queue",
          digits(days.depth.quantile(0.5)),
          digits(days.depth.quantile(0.99)),
          digits(days.depthMax),
        ],
        ["consumers at work", `${digits(days.busyConsumersMean)} (mean)`, "", digits(days.busyConsumersMax)],
        ["packs waiting for a place in the queue", "", "", digits(days.heldMax)],
        ["messages sent in a second", "", "", digits(days.messagesPerSecondMax)],
        [
          "the busiest shard's writer",
          "",
          "",
          `${percent(Math.max(...days.shards.map(({ busiestShare }) => busiestShare)))} of an hour`,
        ],
      ],
    ),
  wave: ({ days }: Answer): string =>
    table(
      ["hour of the day", ...HOURS_SHOWN.map(String)],
      [
        ["packs", ...HOURS_SHOWN.map((hour) => digits(days.parts[hour]?.packs ?? 0))],
        [
          "time to a pack, 99th of 100",
          ...HOURS_SHOWN.map((hour) => duration(days.parts[hour]?.toPackMs.p99 ?? 0)),
        ],
        ["queue, most", ...HOURS_SHOWN.map((hour) => digits(days.parts[hour]?.depthMax ?? 0))],
      ],
    ),
  shards: ({ shards }: Answer): string => {
    const sorted = shards.toSorted((one, other) => other.share - one.share);
    const named = [
      ["the fullest", sorted[0]],
      ["the second", sorted[1]],
      ["the middle one", sorted[Math.floor(sorted.length / 2)]],
      ["the emptiest", sorted.at(-1)],
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
  limits: ({ limits, slowAtOutputsAMonth, scenario }: Answer): string => {
    const rows = limits.map(({ id, outputsAMonth }): readonly [string, number, string] => [
      LIMIT_WORDS[id].what,
      outputsAMonth,
      LIMIT_WORDS[id].remedy,
    ]);
    if (slowAtOutputsAMonth !== null) {
      rows.push([
        "simulated: one pack in a hundred takes a minute, in the hour of the peak",
        slowAtOutputsAMonth,
        "more consumers",
      ]);
    }
    return table(
      ["limit", "reached at outputs a month", "of the load", "then"],
      rows
        .toSorted((one, other) => one[1] - other[1])
        .map(([what, load, then]) => [what, large(load), `${digits(load / scenario.outputsAMonth)} ×`, then]),
    );
  },
  bill: ({ bill, dollarsPer1000Outputs }: Answer): string =>
    table(
      ["line", "used in a month", "included", "dollars"],
      [
        ...bill.map((line) => billRow(line)),
        ["for 1,000 outputs", "", "", `$${dollarsPer1000Outputs.toFixed(4)}`],
      ],
    ),
} as const satisfies Readonly<Record<string, (answer: Answer) => string>>;

const spread = (times: Answer["days"]["toPackMs"]): readonly string[] => [
  duration(times.quantile(0.5)),
  duration(times.quantile(0.99)),
  duration(times.max()),
];

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
