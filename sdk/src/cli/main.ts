#!/usr/bin/env node
/** The command `creative-packs`. */
import { CommanderError } from "commander";
import { ApiError, CreativePacksError } from "../index.ts";
import { EXIT_CODES, type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

const interruption = new AbortController();

/** The first time a command ends what it does, the second time at once. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(EXIT_CODES.interrupted);
  interruption.abort();
}

/** What went wrong, for people or, with `--json`, as a line of JSON; both on the standard error. */
function describe(error: unknown, isJson: boolean): string {
  if (!(error instanceof CreativePacksError)) {
    return `Something unforeseen happened: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
  }
  const { name, message } = error;
  if (!(error instanceof ApiError)) return isJson ? JSON.stringify({ error: { name, message } }) : message;
  const { code, status, nextAction, requestId } = error;
  if (isJson) return JSON.stringify({ error: { name, message, code, status, nextAction, requestId } });
  const trace = requestId === null ? "" : `\n(${code}, request ${requestId})`;
  return `${message} ${nextAction}${trace}`;
}

async function run(): Promise<ExitCode> {
  let code: ExitCode = EXIT_CODES.done;
  const { stdout, stderr, env } = process;
  const program = createProgram({ stdout, stderr, env, signal: interruption.signal }, (finished) => {
    code = finished;
  });
  try {
    await program.parseAsync();
    return code;
  } catch (error) {
    // Help and the version end this way too, with 0; the parser has printed what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
    stderr.write(`${describe(error, program.opts<{ json?: boolean }>().json === true)}\n`);
    return exitCodeOf(error);
  }
}

process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);
// A reader that has seen enough, as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? EXIT_CODES.done : EXIT_CODES.unforeseen);
});
process.exitCode = await run();
