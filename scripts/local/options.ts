import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";

export interface Options {
  /** Null when none was asked for. */
  readonly port: number | null;
  readonly isJson: boolean;
}

/** Reads `--port N` and `--json`. */
export function readOptions(): Options {
  try {
    const { values } = parseArgs({ options: { port: { type: "string" }, json: { type: "boolean" } } });
    if (values.port === undefined) return { port: null, isJson: values.json === true };
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Failure(`--port takes a number from 1 to 65535, not ${values.port}.`);
    }
    return { port, isJson: values.json === true };
  } catch (thrown) {
    if (thrown instanceof Failure || !(thrown instanceof TypeError)) throw thrown;
    throw new Failure(`${thrown.message}\nThe options are --port <number> and --json.`);
  }
}
