import { parseArgs } from "node:util";
import { Failure } from "../../local/failure.ts";

/** What tests bind at most: test/support/shards.ts. */
const TEST_SHARDS_MAX = 4;

interface StressArguments {
  /** Parts by name; none for all. */
  readonly names: readonly string[];
  /** Databases for workspaces beside `DB`; every part gets the number as SHARDS. */
  readonly shards: number;
}

/** Reads `[part …] [--shards N]`; without the option SHARDS of the environment counts. */
export function readStressArguments(
  given: readonly string[],
  environment: NodeJS.ProcessEnv,
): StressArguments {
  const { values, positionals } = parseArguments(given);
  const text = values.shards ?? environment.SHARDS ?? "0";
  const shards = Number(text);
  // A workspace that moves has to have somewhere to go.
  if (shards !== 0 && !(Number.isInteger(shards) && shards >= 2 && shards <= TEST_SHARDS_MAX)) {
    throw new Failure(`--shards takes 0, or a number from 2 to ${TEST_SHARDS_MAX}, not ${text}.`);
  }
  return { names: positionals, shards };
}

function parseArguments(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: { shards: { type: "string" } },
      allowPositionals: true,
    });
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new Failure(`${thrown.message}\nThe arguments are [part …] [--shards <number>].`);
  }
}
