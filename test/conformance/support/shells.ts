import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** Some machines lack zsh; its examples run where it exists. */
export const SHELLS = ["bash", "zsh"].filter(
  (shell) => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`),
);

/** Some machines lack Python, or the library that the examples use. */
export const HAS_REQUESTS = spawnSync("python3", ["-c", "import requests"]).status === 0;

export interface Pasted {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with text as its input, until it exits. */
export async function runWith(
  program: string,
  parameters: readonly string[],
  folder: string,
  input: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Pasted> {
  const started = promisify(execFile)(program, [...parameters], {
    cwd: folder,
    env: { ...process.env, PS1: "", PS2: "", HISTFILE: "", TERM: "dumb", ...variables },
  });
  started.child.stdin?.end(input);
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  );
}

/** Pastes text into a new interactive shell without user settings, so that it is parsed like typed input. */
export const paste = (
  shell: string,
  folder: string,
  text: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Pasted> =>
  runWith(shell, shell === "zsh" ? ["-f", "-i"] : ["--norc", "-i"], folder, `${text}\nexit $?\n`, variables);
