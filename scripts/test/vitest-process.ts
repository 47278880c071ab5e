import { spawn } from "node:child_process";
import { isatty } from "node:tty";
import { ROOT } from "../local/paths.ts";
import { toolEnvironment, toolPath } from "../local/tool.ts";
import type { TestPart } from "./parts.ts";

export interface VitestProcess {
  /** Prints what was held, and all that follows. */
  readonly show: () => void;
  readonly end: () => void;
  /** The exit code, once everything it said has been read. */
  readonly ended: Promise<number>;
}

export interface VitestOptions {
  /** The part whose files are run; null for all of them. */
  readonly part: TestPart | null;
  /** Prints nothing until it is to be shown. */
  readonly isHeld: boolean;
  /** For temporary files; null for the system's own. */
  readonly temporaryFolder: string | null;
}

/** `vitest run` with these parameters. */
export function startVitest(
  parameters: readonly string[],
  { part, isHeld, temporaryFolder }: VitestOptions,
): VitestProcess {
  const isColoured = isHeld && isatty(1) && process.env.NO_COLOR === undefined;
  const child = spawn(toolPath("vitest"), ["run", ...parameters], {
    cwd: ROOT,
    env: toolEnvironment({
      ...(part === null ? {} : { TEST_PART: part }),
      ...(isColoured ? { FORCE_COLOR: "1" } : {}),
      ...(temporaryFolder === null ? {} : { TMPDIR: temporaryFolder }),
    }),
    stdio: isHeld ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  let held: string[] | null = isHeld ? [] : null;
  const take = (text: string): void => {
    if (held === null) process.stdout.write(text);
    else held.push(text);
  };
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", take);
  return {
    show: () => {
      const before = held ?? [];
      held = null;
      for (const text of before) take(text);
    },
    end: () => child.kill("SIGTERM"),
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    }),
  };
}
