import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.ts";
import { inRoot, ROOT } from "./paths.ts";

/** Set when a script has already prepared secrets and tables for wrangler; see scripts/run/before-build.ts. */
export const IS_PREPARED = "CREATIVE_PACKS_IS_PREPARED";

/** Keeps wrangler offline, quiet and non-interactive. */
export const WRANGLER_ENVIRONMENT: Readonly<Record<string, string>> = {
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NO_COLOR: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
};

const binaries = inRoot("node_modules/.bin");

/** This process's environment with the project's tools first in PATH, including its Node.js. */
export const toolEnvironment = (extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}`,
  ...extra,
});

/** Path of a command in node_modules/.bin. */
export const toolPath = (name: string): string => join(binaries, name);

export interface ToolOutcome {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
}

/**
 * Runs a command of node_modules/.bin in the clone, optionally with a timeout, and captures its output. With a timeout
 * the command leads a process group, which is killed at the timeout or when this process exits.
 */
export function runTool(
  name: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  runMsMax?: number,
): Promise<ToolOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(toolPath(name), parameters, {
      cwd: ROOT,
      env: toolEnvironment(environment),
      stdio: ["ignore", "pipe", "pipe"],
      detached: runMsMax !== undefined,
    });
    const { pid } = child;
    const endGroup = (): void => {
      try {
        if (pid !== undefined) process.kill(-pid, "SIGKILL");
      } catch {
        // The whole group has already ended.
      }
    };
    const timer = runMsMax === undefined ? undefined : setTimeout(endGroup, runMsMax);
    if (runMsMax !== undefined) process.once("exit", endGroup);
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("exit", endGroup);
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}

/** Like `runTool`, but a non-zero exit code becomes a Failure that names the step. */
export async function requireTool(
  purpose: string,
  name: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ToolOutcome> {
  const outcome = await runTool(name, parameters, environment);
  if (outcome.code !== 0) throw new Failure(`${purpose} failed:\n${outcome.output.trim()}`);
  return outcome;
}
