import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The command `creative-packs` as it is packed, run as a process of its own. */

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of its standard output that are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: results are asserted member by member, whatever they hold.
  readonly json: readonly any[];
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Kills the process, as nothing can be prepared for, once it has printed so many lines. */
  readonly killAfterLines?: number;
  /** Told each line of its standard output; ends the process as Ctrl+C does. */
  readonly onLine?: (line: string, interrupt: () => void) => void;
}

/** Runs the command, which is the file `main`, to its end or to the line at which it is killed. */
export async function runCommand(
  main: string,
  parameters: readonly string[],
  { env = {}, stdin = "", killAfterLines, onLine }: RunOptions = {},
): Promise<Ended> {
  // Nothing of this machine's own settings: a key that is kept here must not be found.
  const child = spawn(process.execPath, [main, ...parameters], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env },
  });
  child.stdin.end(stdin);
  const lines: string[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    onLine?.(line, () => child.kill("SIGINT"));
    if (lines.length === killAfterLines) child.kill("SIGKILL");
  });
  const code = await closed(child);
  return {
    code,
    stdout: lines.join("\n"),
    stderr,
    json: lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)),
  };
}

const closed = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
