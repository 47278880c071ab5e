import { parseArgs } from "node:util";
import { SHARDS_MAX } from "#platform/databases/shard-name.ts";
import { Failure } from "./failure.ts";

export interface Options {
  /** Null if the option is absent. */
  readonly port: number | null;
  readonly isJson: boolean;
  readonly isDelivering: boolean;
  readonly isBuying: boolean;
  /** Databases for workspaces besides `DB`. */
  readonly shards: number;
}

const OPTIONS = {
  port: { type: "string" },
  shards: { type: "string" },
  json: { type: "boolean" },
  deliver: { type: "boolean" },
  buy: { type: "boolean" },
} as const;

/** Parses a whole number in a range; otherwise throws a Failure that names the option. */
function numberOf(option: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new Failure(`--${option} takes a number from ${min} to ${max}, not ${text}.`);
}

/** Parses `--port N` and, where the script supports them, `--json`, `--shards N`, and `--deliver` or `--buy`. */
export function readOptions(canSpeakJson: boolean, canPlay = false): Options {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.json && !canSpeakJson) throw new Failure("This script does not take --json.");
    if (values.deliver && !canPlay) throw new Failure("This script does not take --deliver.");
    if (values.buy && !canPlay) throw new Failure("This script does not take --buy.");
    if (values.buy && values.deliver) throw new Failure("Take --deliver or --buy, not both.");
    if (values.shards !== undefined && canPlay) throw new Failure("This script does not take --shards.");
    const flags = {
      shards: values.shards === undefined ? 0 : numberOf("shards", values.shards, 0, SHARDS_MAX),
      isJson: values.json === true,
      isDelivering: values.deliver === true,
      isBuying: values.buy === true,
    };
    if (values.port === undefined) return { port: null, ...flags };
    return { port: numberOf("port", values.port, 1, 65_535), ...flags };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(
      `${thrown.message}\nThe options are ${["--port <number>", ...(canSpeakJson ? ["--json"] : []), ...(canPlay ? ["--deliver", "--buy"] : ["--shards <number>"])].join(" and ")}.`,
    );
  }
}
