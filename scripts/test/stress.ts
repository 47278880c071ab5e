/** Everything that shows the service can be trusted, with a table of what was tried: npm run test:stress [part …] [-- --shards N] */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { Failure, runScript } from "../local/failure.ts";
import { memoryFolder } from "../local/memory-folder.ts";
import { runTool } from "../local/tool.ts";
import { untilAskedToEnd } from "../local/wait-for-signal.ts";
import { makeAssets } from "../make/assets.ts";
import { readStressArguments } from "./stress/arguments.ts";
import { partEnvironment } from "./stress/part-environment.ts";
import { atLeastOf, STRESS_PARTS, type StressPart } from "./stress/parts.ts";
import { failedPath, outputPath, resultPath } from "./stress/paths.ts";
import { type StressResult, stressResult } from "./stress/result.ts";
import { isScaledByHand } from "./stress/scale.ts";
import { isClean, markOf, missedIn, type Row, tableOf, unfinished } from "./stress/table.ts";

/** Parts that run in parallel: one a core of the machine this is meant for. */
const PARTS_AT_ONCE = 2;
/** Of a failed part's output; the rest is in its log. */
const LINES_SHOWN = 60;

/** What the part wrote, when that is a result and its own. */
async function readResult(part: StressPart): Promise<StressResult | null> {
  const path = resultPath(part.name);
  if (!existsSync(path)) return null;
  const read = stressResult.safeParse(JSON.parse(await readFile(path, "utf8")));
  return read.success && read.data.part === part.name ? read.data : null;
}

async function runPart(part: StressPart, shards: number): Promise<Row> {
  for (const path of [resultPath(part.name), failedPath(part.name)]) await rm(path, { force: true });
  const memory = part.isInMemory ? await memoryFolder() : null;
  const startedAtMs = performance.now();
  const { partMsMax, variables } = partEnvironment(part, process.env, shards, Date.now());
  const environment = { ...(memory === null ? {} : { TMPDIR: memory }), ...variables };
  const { code, output } = await runTool(part.tool, part.parameters, environment, partMsMax);
  const durationMs = performance.now() - startedAtMs;
  // One whose tests had failed by then is wrong, however much time it was given.
  const isOutOfTime = code !== 0 && durationMs >= partMsMax && !existsSync(failedPath(part.name));
  await writeFile(outputPath(part.name), output);
  const atLeast = isScaledByHand(process.env) ? {} : atLeastOf(part, shards);
  const result = await readResult(part);
  const row: Row = { ...part, atLeast, result, hasPassed: code === 0, isOutOfTime, durationMs };
  const missed = missedIn(row).map((text) => `Only ${text}.`);
  const lines = [...output.trim().split("\n").slice(-LINES_SHOWN), ...missed];
  const end = markOf(row) === "FAIL" ? `\n${lines.join("\n")}\n` : "";
  const ended = unfinished(row);
  console.log(`${markOf(row)}  ${part.name}: ${part.title}${ended === null ? "" : ` (${ended})`}${end}`);
  return row;
}

/** The named parts, or all. */
function chooseParts(names: readonly string[]): readonly StressPart[] {
  const unknown = names.filter((name) => !STRESS_PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = STRESS_PARTS.map((part) => part.name).join(", ");
    throw new Failure(`There is no part ${unknown.join(", ")}. The parts are ${known}.`);
  }
  return names.length === 0 ? STRESS_PARTS : STRESS_PARTS.filter((part) => names.includes(part.name));
}

// Parts lead groups of their own, which end when this process does.
void untilAskedToEnd().then(() => process.exit(1));

await runScript(async () => {
  const { names, shards } = readStressArguments(process.argv.slice(2), process.env);
  const parts = chooseParts(names);
  await makeAssets();
  await mkdir(new URL(".", resultPath("any")), { recursive: true });
  const waiting = [...parts];
  const rows: Row[] = [];
  const runParts = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      rows.push(await runPart(part, shards));
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, runParts));
  const position = (row: Row) => parts.findIndex((part) => part.name === row.name);
  rows.sort((left, right) => position(left) - position(right));
  console.log(`\n${tableOf(rows)}\n`);
  const marked = (mark: "FAIL" | "TIME") => rows.filter((row) => markOf(row) === mark).length;
  const [failures, short] = [marked("FAIL"), marked("TIME")];
  if (failures > 0) {
    console.log(`${failures} of ${rows.length} parts failed; their output is in .cache/stress.`);
  }
  if (short > 0) {
    console.log(
      `${short} of ${rows.length} parts had too little time, and showed nothing wrong until then; ` +
        "STRESS_MINUTES gives them more.",
    );
  }
  if (rows.every(isClean)) console.log("Nothing lost, duplicated, leaked or hung.");
  else process.exitCode = 1;
});
