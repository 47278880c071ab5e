import { Failure } from "../../local/failure.ts";
import { plainJson } from "./plain-text.ts";
import { CommandLineError, type Invocation } from "./read-command.ts";

/** Runs an operator's command: one result on standard output, a sentence on standard error, and the exit code. */

const EXIT_FAILED = 1;
const EXIT_NOT_UNDERSTOOD = 2;

/** What a command found, and the same for a person. */
export interface Result {
  readonly found: object;
  readonly text: string;
}

export const resultOf = <T extends object>(found: T, report: (found: T) => string): Result => ({
  found,
  text: report(found),
});

/**
 * Reads and executes the command line of this process. What is thrown is told by `explain`, which answers null for a
 * defect: its stack is of more use then. A Failure tells itself.
 */
export async function runCommand<Command>(
  read: (parameters: readonly string[]) => Invocation<Command>,
  execute: (invocation: Invocation<Command>) => Promise<Result>,
  explain: (thrown: unknown, invocation: Invocation<Command>) => string | null = () => null,
): Promise<void> {
  let invocation: Invocation<Command> | null = null;
  try {
    invocation = read(process.argv.slice(2));
    const { found, text } = await execute(invocation);
    process.stdout.write(`${invocation.isJson ? plainJson(found) : text}\n`);
  } catch (thrown) {
    if (thrown instanceof CommandLineError) {
      process.exitCode = thrown.isHelp ? 0 : EXIT_NOT_UNDERSTOOD;
      process[thrown.isHelp ? "stdout" : "stderr"].write(thrown.message);
      return;
    }
    process.exitCode = EXIT_FAILED;
    const explained =
      thrown instanceof Failure ? thrown.message : invocation === null ? null : explain(thrown, invocation);
    process.stderr.write(`${explained ?? (thrown instanceof Error ? thrown.stack : String(thrown))}\n`);
  }
}
