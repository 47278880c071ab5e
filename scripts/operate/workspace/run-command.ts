import { Argument, CommanderError, Option, Command as Program } from "commander";
import { Failure } from "../../local/failure.ts";
import { plainJson } from "./plain-text.ts";

/** Operators' command lines: a result on standard output, or a message on standard error, and the exit code. */

const EXIT_FAILED = 1;
const EXIT_NOT_UNDERSTOOD = 2;

/** The databases that a command works on. */
export interface Target {
  readonly isRemote: boolean;
  /** The folder given to `wrangler dev --persist-to`; local only. */
  readonly stateFolder: string;
  /** The wrangler configuration that names the databases. */
  readonly configPath: string;
  /** File with the secrets of keys; null for .dev.vars, or for the environment with --remote. */
  readonly envFile: string | null;
}

/** Context of every command, in addition to its own options. */
export interface Common {
  readonly target: Target;
  readonly isJson: boolean;
}

export interface Invocation extends Common {
  readonly command: object;
  readonly execute: () => Promise<{ readonly found: object; readonly text: string }>;
}

/** A command line without a command to run: help was requested, or it is invalid. */
class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly isHelp: boolean;

  constructor(message: string, isHelp: boolean) {
    super(message);
    this.isHelp = isHelp;
  }
}

interface CommonOptions {
  readonly json: boolean;
  readonly remote: boolean;
  readonly persistTo?: string;
  readonly envFile?: string;
  readonly config: string;
}

const commonOptions = (remote: string): readonly Option[] => [
  new Option("--json", "print one line of JSON").default(false),
  new Option("--persist-to <folder>", "state folder of `wrangler dev` (.wrangler/state)").conflicts("remote"),
  new Option("--remote", remote).default(false),
  new Option("--config <file>", "wrangler configuration that binds the databases").default("wrangler.toml"),
];

const commonOf = ({ json, remote, persistTo, envFile, config }: CommonOptions): Common => ({
  target: {
    isRemote: remote,
    stateFolder: persistTo ?? ".wrangler/state",
    configPath: config,
    envFile: envFile ?? null,
  },
  isJson: json,
});

/** Adds a command to the program. `take` is called if the command line names this command. */
export type Command = (
  program: Program,
  common: readonly Option[],
  take: (invocation: Invocation) => void,
) => void;

/** Defines a command by its options, a parser of their values, its work, and a report of the result. */
export const defineCommand =
  <Values extends object, Choice extends object, Found extends object>(
    name: string,
    description: string,
    options: readonly (Option | Argument)[],
    choose: (values: Values, program: Program) => Choice,
    run: (common: Common, choice: Choice) => Promise<Found>,
    report: (found: Found) => string,
  ): Command =>
  (program, shared, take) => {
    const defined = program.command(name).description(description);
    for (const option of [...options, ...shared]) {
      if (option instanceof Argument) defined.addArgument(option);
      else defined.addOption(option);
    }
    defined.action(() => {
      const values = defined.opts<Values & CommonOptions>();
      const common = commonOf(values);
      const choice = choose(values, defined);
      const execute = async () => {
        const found = await run(common, choice);
        return { found, text: report(found) };
      };
      take({ ...common, command: { name, ...choice }, execute });
    });
  };

interface CommandTable {
  readonly name: string;
  readonly description: string;
  /** Help text of --remote. */
  readonly remote: string;
  /** Options that every command has in addition to the common ones. */
  readonly options?: readonly Option[];
  readonly commands: readonly Command[];
}

/** Parses a command line. Throws CommandLineError with the text to show if there is nothing to run. */
export function readCommand(table: CommandTable, parameters: readonly string[]): Invocation {
  const read: Invocation[] = [];
  const shown: string[] = [];
  const program = new Program(table.name)
    .description(table.description)
    .addHelpText("after", "\nExit codes: 0 success, 1 rejected or failed, 2 invalid arguments.")
    .showHelpAfterError("(--help lists all commands and options)")
    .configureOutput({ writeOut: (line) => shown.push(line), writeErr: (line) => shown.push(line) })
    .exitOverride();
  const common = [...commonOptions(table.remote), ...(table.options ?? [])];
  for (const command of table.commands) command(program, common, (invocation) => read.push(invocation));
  try {
    program.parse(parameters, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    throw new CommandLineError(shown.join(""), thrown.exitCode === 0);
  }
  const [invocation] = read;
  if (invocation === undefined) throw new CommandLineError(program.helpInformation(), false);
  return invocation;
}

/** Runs the command line of this process. `explain` returns null for a defect, whose stack is printed. */
export async function runCommand(
  read: (parameters: readonly string[]) => Invocation,
  explain: (thrown: unknown, target: Target) => string | null = () => null,
): Promise<void> {
  let invocation: Invocation | null = null;
  try {
    invocation = read(process.argv.slice(2));
    const { found, text } = await invocation.execute();
    process.stdout.write(`${invocation.isJson ? plainJson(found) : text}\n`);
  } catch (thrown) {
    if (thrown instanceof CommandLineError) {
      process.exitCode = thrown.isHelp ? 0 : EXIT_NOT_UNDERSTOOD;
      process[thrown.isHelp ? "stdout" : "stderr"].write(thrown.message);
      return;
    }
    process.exitCode = EXIT_FAILED;
    const explained =
      thrown instanceof Failure ? thrown.message : invocation && explain(thrown, invocation.target);
    process.stderr.write(`${explained ?? (thrown instanceof Error ? thrown.stack : String(thrown))}\n`);
  }
}
