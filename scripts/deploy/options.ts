import { parseArgs } from "node:util";
import { Failure } from "../local/failure.ts";

export interface DeployOptions {
  /** Only check the configuration and the account. */
  readonly isCheckOnly: boolean;
  /** Migrate the databases, but do not deploy the Workers. */
  readonly isMigrateOnly: boolean;
  /** wrangler's `--env` and `--config`, passed to every wrangler command. */
  readonly target: readonly string[];
  /** The configuration's file and environment, as wrangler reads them. */
  readonly config: string | undefined;
  readonly env: string | undefined;
  /** Passed on to `wrangler deploy`. */
  readonly rest: readonly string[];
}

const USAGE =
  "npm run deploy -- [--check | --migrate] [--env <name>] [--config <file>] [options of wrangler deploy]";

/** Options of `wrangler deploy` that would apply to both Workers, but are meant for one. */
const OF_ONE_WORKER = /^--(?:name|routes?|domains?|triggers|schedules?)(?:=|$)/;

/** Parses the arguments of the deploy script. Unknown options are passed to wrangler. */
export function readDeployOptions(parameters: readonly string[]): DeployOptions {
  const { values, tokens } = parseArgs({
    args: [...parameters],
    options: {
      check: { type: "boolean" },
      migrate: { type: "boolean" },
      env: { type: "string", short: "e" },
      config: { type: "string", short: "c" },
      help: { type: "boolean", short: "h" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help) throw new Failure(USAGE);
  const refused = parameters.find((parameter) => OF_ONE_WORKER.test(parameter));
  if (refused) throw new Failure(`${refused} would reach both Workers: put it into the configuration.`);
  const env = typeof values.env === "string" ? values.env : undefined;
  const config = typeof values.config === "string" ? values.config : undefined;
  // An option of this script fills one argument (`--env=x`) or two (`--env x`). All other arguments go to wrangler.
  const ours = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !["check", "migrate", "env", "config"].includes(token.name)) continue;
    ours.add(token.index);
    if (token.value !== undefined && token.inlineValue === false) ours.add(token.index + 1);
  }
  return {
    isCheckOnly: values.check === true,
    isMigrateOnly: values.migrate === true,
    target: [...(env ? ["--env", env] : []), ...(config ? ["--config", config] : [])],
    config,
    env,
    rest: parameters.filter((_, index) => !ours.has(index)),
  };
}
