import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";

export interface Options {
  /** Null when none was asked for. */
  readonly port: number | null;
  readonly isJson: boolean;
  readonly isDelivering: boolean;
}

const OPTIONS = {
  port: { type: "string" },
  json: { type: "boolean" },
  deliver: { type: "boolean" },
} as const;

/** Reads `--port N` and, where the script knows them, `--json` and `--deliver`. */
export function readOptions(canSpeakJson: boolean, canDeliver = false): Options {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.json && !canSpeakJson) throw new Failure("This script does not take --json.");
    if (values.deliver && !canDeliver) throw new Failure("This script does not take --deliver.");
    const flags = { isJson: values.json === true, isDelivering: values.deliver === true };
    if (values.port === undefined) return { port: null, ...flags };
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Failure(`--port takes a number from 1 to 65535, not ${values.port}.`);
    }
    return { port, ...flags };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(
      `${thrown.message}\nThe options are ${["--port <number>", ...(canSpeakJson ? ["--json"] : []), ...(canDeliver ? ["--deliver"] : [])].join(" and ")}.`,
    );
  }
}
