/**
 * Rehearses runbooks of docs/operations.md on a separate service and checks each step: npm run drill -- restore |
 * rotate
 */

import { Failure, runScript } from "../local/failure.ts";
import { failureOf } from "../run/demo/open-client.ts";
import { drillRestore } from "./drill/restore.ts";
import { drillRotate } from "./drill/rotate.ts";

const DRILLS: Readonly<Record<string, () => Promise<void>>> = { restore: drillRestore, rotate: drillRotate };

await runScript(async () => {
  const [name = "", ...others] = process.argv.slice(2);
  const drill = others.length === 0 ? DRILLS[name] : undefined;
  if (drill === undefined) throw new Failure("Name a drill: npm run drill -- restore | rotate");
  try {
    await drill();
  } catch (thrown) {
    throw failureOf(thrown) ?? thrown;
  }
  console.log("\nThe runbook does what it promises.");
});
