import { stripVTControlCharacters } from "node:util";
import { runTool } from "../local/tool.ts";

export interface Answer {
  readonly isGood: boolean;
  readonly output: string;
  readonly stdout: string;
}

/** Runs a wrangler command for a deployment or one of its Workers without prompts, and captures its output. */
export async function ask(
  { target }: { readonly target: readonly string[] },
  ...command: readonly string[]
): Promise<Answer> {
  const { code, stdout, output } = await runTool("wrangler", [...command, ...target], {
    CI: "1",
    NO_COLOR: "1",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
  });
  return { isGood: code === 0, stdout, output: stripVTControlCharacters(output).trim() };
}

/** The sentence in wrangler's output, plain or JSON, that names the failure. */
export function reasonIn(output: string): string {
  const reason = /"text":\s*"([^"]+)"/.exec(output)?.[1] ?? /\[ERROR\]\s*(.+)/.exec(output)?.[1];
  return reason?.split(". ")[0]?.trim() ?? "wrangler gave no reason";
}
