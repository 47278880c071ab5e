import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Runs the packed `creative-packs` command as a process. */

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of standard output that are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: results are asserted member by member, whatever they hold.
  readonly json: readonly any[];
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Kills the process with SIGKILL after it has printed this many lines. */
  readonly killAfterLines?: number;
  /** Receives each line of standard output, and a function that ends the process like Ctrl+C. */
  readonly onLine?: (line: string, interrupt: () => void) => void;
}

/** Runs the command file `main` until it ends or is killed. */
export async function runCommand(
  main: string,
  parameters: readonly string[],
  { env = {}, stdin = "", killAfterLines, onLine }: RunOptions = {},
): Promise<Ended> {
  // Hides this machine's own settings, which may contain a key.
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
