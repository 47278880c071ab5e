import { type ChildProcess, spawn } from "node:child_process";
import { isatty } from "node:tty";
import { ROOT } from "../local/paths.ts";
import { toolEnvironment, toolPath } from "../local/tool.ts";
import { untilAskedToEnd } from "../local/wait-for-signal.ts";

const running = new Set<ChildProcess>();
let isEnding = false;

void untilAskedToEnd().then(() => {
  isEnding = true;
  for (const child of running) child.kill("SIGTERM");
});

/**
 * Runs `vitest run` with these arguments; resolves to its exit code. Output goes to `write`, or directly to the
 * terminal.
 */
export function runVitest(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  write?: (text: string) => void,
): Promise<number> {
  if (isEnding) return Promise.resolve(1);
  const isColoured = write !== undefined && isatty(1) && process.env.NO_COLOR === undefined;
  const child = spawn(toolPath("vitest"), ["run", ...parameters], {
    cwd: ROOT,
    env: toolEnvironment({ ...(isColoured ? { FORCE_COLOR: "1" } : {}), ...environment }),
    stdio: write === undefined ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) {
    if (write !== undefined) stream?.setEncoding("utf8").on("data", write);
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Buffers output until `show` is called, then prints it directly. */
export function heldOutput() {
  let held: string[] | null = [];
  return {
    write: (text: string): void => {
      if (held === null) process.stdout.write(text);
      else held.push(text);
    },
    show: (): void => {
      process.stdout.write(held?.join("") ?? "");
      held = null;
    },
  };
}
