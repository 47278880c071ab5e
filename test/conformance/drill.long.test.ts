import { expect, it } from "vitest";
import { runTool } from "../../scripts/local/tool.ts";

/** The runbooks for restoring the database and rotating secrets, step by step. */

it.each(["restore", "rotate"])("npm run drill -- %s succeeds", { timeout: 600_000 }, async (name) => {
  const { code, output } = await runTool("node", ["scripts/operate/drill.ts", name], {}, 590_000);
  expect([code, output.match(/^ok /gm)?.length ?? 0], output).toEqual([0, name === "restore" ? 9 : 6]);
});
