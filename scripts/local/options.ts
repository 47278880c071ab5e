import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";

export interface Options {
  /** Null when none was asked for. */
  readonly port: number | null;
  readonly isJson: boolean;
}

const OPTIONS = { port: { type: "string" }, json: { type: "boolean" } } as const;

/** Reads `--port N` and, where the script can speak it, `--json`. */
export function readOptions(canSpeakJson: boolean): Options {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.json && !canSpeakJson) throw new Failure("This script does not take --json.");
    if (values.port === undefined) return { port: null, isJson: values.json === true };
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Failure(`--port takes a number from 1 to 65535, not ${values.port}.`);
    }
    return { port, isJson: values.json === true };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(
      `${thrown.message}\nThe options are --port <number>${canSpeakJson ? " and --json" : ""}.`,
    );
  }
}
