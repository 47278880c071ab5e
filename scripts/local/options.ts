import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";

export interface Options {
  /** Null when none was asked for. */
  readonly port: number | null;
  readonly isJson: boolean;
  readonly isDelivering: boolean;
  readonly isBuying: boolean;
}

const OPTIONS = {
  port: { type: "string" },
  json: { type: "boolean" },
  deliver: { type: "boolean" },
  buy: { type: "boolean" },
} as const;

/** Reads `--port N` and, where the script knows them, `--json`, and `--deliver` or `--buy`. */
export function readOptions(canSpeakJson: boolean, canPlay = false): Options {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.json && !canSpeakJson) throw new Failure("This script does not take --json.");
    if (values.deliver && !canPlay) throw new Failure("This script does not take --deliver.");
    if (values.buy && !canPlay) throw new Failure("This script does not take --buy.");
    if (values.buy && values.deliver) throw new Failure("Take --deliver or --buy, not both.");
    const flags = {
      isJson: values.json === true,
      isDelivering: values.deliver === true,
      isBuying: values.buy === true,
    };
    if (values.port === undefined) return { port: null, ...flags };
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Failure(`--port takes a number from 1 to 65535, not ${values.port}.`);
    }
    return { port, ...flags };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(
      `${thrown.message}\nThe options are ${["--port <number>", ...(canSpeakJson ? ["--json"] : []), ...(canPlay ? ["--deliver", "--buy"] : [])].join(" and ")}.`,
    );
  }
}
