/**
 * Runs the stress tests and prints a table of their counts and findings: npm run test:stress [part …] [-- --shards N]
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { runScript } from "../local/failure.ts";
import { memoryFolder } from "../local/memory-folder.ts";
import { runTool } from "../local/tool.ts";
import { untilAskedToEnd } from "../local/wait-for-signal.ts";
import { makeAssets } from "../make/assets.ts";
import { atLeastOf, readStressArguments, type StressPart } from "./stress/parts.ts";
import { type StressResult, stressFile } from "./stress/result.ts";
import { isScaledByHand, partEnvironment } from "./stress/scale.ts";
import { markOf, missedIn, type Row, tableOf, unfinished } from "./stress/table.ts";

/** Parallel parts: one per core of the target machine. */
const PARTS_AT_ONCE = 2;
/** Shown lines of a failed part's output; the log has the rest. */
const LINES_SHOWN = 60;
const REPORTERS = ["--reporter=default", "--reporter=./scripts/test/stress/reporter.ts"];

async function readResult(part: string): Promise<StressResult | null> {
  const path = stressFile(part, "json");
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : null;
}

async function runPart(part: StressPart, shards: number): Promise<Row> {
  const { name, title, project, paths, isInMemory } = part;
  for (const kind of ["json", "failed"] as const) await rm(stressFile(name, kind), { force: true });
  const memory = isInMemory ? await memoryFolder() : null;
  const startedAtMs = performance.now();
  const { partMsMax, variables } = partEnvironment(part, process.env, shards, Date.now());
  const environment = { ...(memory === null ? {} : { TMPDIR: memory }), ...variables };
  const parameters = ["run", "--project", project, ...paths, ...REPORTERS];
  const { code, output } = await runTool("vitest", parameters, environment, partMsMax);
  const durationMs = performance.now() - startedAtMs;
  await writeFile(stressFile(name, "log"), output);
  const row: Row = {
    name,
    title,
    atLeast: isScaledByHand(process.env) ? {} : atLeastOf(part, shards),
    result: await readResult(name),
    hasPassed: code === 0,
    // A part with a failed test counts as failed, even if it ran out of time.
    isOutOfTime: code !== 0 && durationMs >= partMsMax && !existsSync(stressFile(name, "failed")),
    durationMs,
  };
  const ended = unfinished(row);
  console.log(`${markOf(row)}  ${name}: ${title}${ended === null ? "" : ` (${ended})`}`);
  if (markOf(row) === "FAIL") {
    const missed = missedIn(row).map((text) => `Only ${text}.`);
    console.log(["", ...output.trim().split("\n").slice(-LINES_SHOWN), ...missed, ""].join("\n"));
  }
  return row;
}

/** Runs some parts in parallel; the rows are in the parts' order. */
async function runParts(parts: readonly StressPart[], shards: number): Promise<readonly Row[]> {
  const waiting = parts.entries();
  const rows: Row[] = [];
  const runNext = async (): Promise<void> => {
    for (const [at, part] of waiting) rows[at] = await runPart(part, shards);
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, runNext));
  return rows;
}

// Each part leads its own process group, which ends with this process.
void untilAskedToEnd().then(() => process.exit(1));

await runScript(async () => {
  const { parts, shards } = readStressArguments(process.argv.slice(2), process.env);
  await makeAssets();
  await mkdir(new URL(".", stressFile("any", "json")), { recursive: true });
  const rows = await runParts(parts, shards);
  console.log(`\n${tableOf(rows)}\n`);
  const countOf = (mark: "FAIL" | "TIME") => rows.filter((row) => markOf(row) === mark).length;
  const [failed, short] = [countOf("FAIL"), countOf("TIME")];
  if (failed > 0) console.log(`${failed} of ${rows.length} parts failed; their output is in .cache/stress.`);
  if (short > 0) {
    console.log(
      `${short} of ${rows.length} parts had too little time, and found nothing wrong until then. STRESS_MINUTES gives them more.`,
    );
  }
  if (failed + short === 0) console.log("Nothing lost, duplicated, leaked or hung.");
  else process.exitCode = 1;
});
