import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** zsh is not on every machine; where it is, what is shown for it is run in it. */
export const SHELLS = ["bash", "zsh"].filter(
  (shell) => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`),
);

/** A fresh machine may have no Python, or none with the library that the shown programs use. */
export const HAS_REQUESTS = spawnSync("python3", ["-c", "import requests"]).status === 0;

export interface Pasted {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with text as its input, to its end. */
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

/** Pastes text into a new shell without anybody's settings; interactive, and so with the parsing of what is typed. */
export const paste = (
  shell: string,
  folder: string,
  text: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Pasted> =>
  runWith(shell, shell === "zsh" ? ["-f", "-i"] : ["--norc", "-i"], folder, `${text}\nexit $?\n`, variables);
