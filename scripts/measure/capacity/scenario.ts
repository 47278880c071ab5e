import { parseArgs } from "node:util";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { Failure } from "../../local/failure.ts";

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** The options. Defaults: the load of docs/scaling.md and the consumers of wrangler.toml. */
const OPTIONS = z.object({
  workspaces: count(1, 1_000_000).default(10_000),
  "outputs-a-month": z.coerce.number().min(1_000).max(1e11).default(1e8),
  shards: count(1, 5_000).default(64),
  /** Exponent of the Pareto tail over workspaces. */
  tail: z.coerce.number().gt(1).max(10).default(1.16),
  /** Amplitude of the daily wave, relative to its mean. */
  wave: z.coerce.number().min(0).max(1).default(0.8),
  /** Concurrent consumers. The queue holds two messages for each of them (test/unit/queue-depth.test.ts). */
  consumers: count(1, 250).default(LIMITS.queuedMessagesMax / 2),
});

const NAMES = Object.keys(OPTIONS.shape);

export function readValues() {
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

export function readScenario(options: unknown) {
  const { data, error } = OPTIONS.safeParse(options);
  const issue = error?.issues[0];
  if (data === undefined) throw new Failure(`--${issue?.path.join(".")}: ${issue?.message}.`);
  const { "outputs-a-month": outputsAMonth, ...rest } = data;
  return { ...rest, outputsAMonth };
}

export type Scenario = ReturnType<typeof readScenario>;
