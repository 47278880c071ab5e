#!/usr/bin/env node
/** The `creative-packs` command. */
import { CommanderError } from "commander";
import { ApiError, CreativePacksError } from "../index.ts";
import { EXIT_CODES, type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

const interruption = new AbortController();

/** The first Ctrl+C lets the command finish its step; the second ends it at once. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(EXIT_CODES.interrupted);
  interruption.abort();
}

/** Prints an error to standard error: as text, or with `--json` as a line of JSON. */
function describe(error: unknown, isJson: boolean): string {
  if (!(error instanceof CreativePacksError)) {
    return `Unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
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
    // Help and version also end here, with 0. The parser has printed any error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
    stderr.write(`${describe(error, program.opts<{ json?: boolean }>().json === true)}\n`);
    return exitCodeOf(error);
  }
}

process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);
// A reader that closes the pipe early, such as `head`, is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? EXIT_CODES.done : EXIT_CODES.unforeseen);
});
process.exitCode = await run();
