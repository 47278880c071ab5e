import { CommanderError, Option, Command as Program } from "commander";

/** What the operator's command lines have in common: which databases they work on, help, and what is not understood. */

/** Which databases a command works on. */
export interface Target {
  readonly isRemote: boolean;
  /** The folder given to `wrangler dev --persist-to`; local only. */
  readonly stateFolder: string;
  /** The wrangler configuration that names the databases. */
  readonly configPath: string;
  /** Where the secrets of keys are; null for .dev.vars, or the environment when remote. */
  readonly envFile: string | null;
}

export interface Invocation<Command> {
  readonly command: Command;
  readonly target: Target;
  readonly isJson: boolean;
}

/** A command line that names no command to run: help was asked for, or it was not understood. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly isHelp: boolean;

  constructor(message: string, isHelp: boolean) {
    super(message);
    this.isHelp = isHelp;
  }
}

/** Options that every command has. */
export interface TargetOptions {
  readonly json: boolean;
  readonly remote: boolean;
  readonly persistTo?: string;
  readonly envFile?: string;
  readonly config: string;
}

/** The options that say where to work; `remote` tells what --remote does. */
export const targetOptions = (remote: string): readonly Option[] => [
  new Option("--json", "one line of JSON on standard output").default(false),
  new Option("--persist-to <folder>", "state folder of `wrangler dev` (.wrangler/state)").conflicts("remote"),
  new Option("--remote", remote).default(false),
  new Option("--config <file>", "wrangler configuration that binds the databases").default("wrangler.toml"),
];

const targetOf = ({ remote, persistTo, envFile, config }: TargetOptions): Target => ({
  isRemote: remote,
  stateFolder: persistTo ?? ".wrangler/state",
  configPath: config,
  envFile: envFile ?? null,
});

export type Run<Command> = (command: Command, options: TargetOptions) => void;

/**
 * Reads a command line by the commands that `addCommands` defines, each of which calls `run` once. Throws CommandLineError
 * with the text to show when there is nothing to run.
 */
export function readCommand<Command>(
  { name, description }: { readonly name: string; readonly description: string },
  addCommands: (program: Program, run: Run<Command>) => void,
  parameters: readonly string[],
): Invocation<Command> {
  const read: Invocation<Command>[] = [];
  const shown: string[] = [];
  const program = new Program(name)
    .description(description)
    .addHelpText("after", "\nExit codes: 0 done, 1 refused or failed, 2 these arguments were not understood.")
    .showHelpAfterError("(--help names every command and option)")
    .configureOutput({ writeOut: (line) => shown.push(line), writeErr: (line) => shown.push(line) })
    .exitOverride();
  addCommands(program, (command, options) => {
    read.push({ command, target: targetOf(options), isJson: options.json });
  });
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
