/** Everything that shows the service can be trusted, with a table of what was tried: npm run test:trust [part …] */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { Failure, runScript } from "./local/failure.ts";
import { memoryFolder } from "./local/memory-folder.ts";
import { runTool } from "./local/tool.ts";
import { makeDocsAssets } from "./make-docs.ts";
import { TRUST_PARTS, type TrustPart } from "./trust/parts.ts";
import { outputPath, resultPath } from "./trust/paths.ts";
import { type TrustResult, trustResult } from "./trust/result.ts";
import { isScaledByHand } from "./trust/scale.ts";
import { isClean, missedIn, type Row, tableOf } from "./trust/table.ts";

/** One a core of the machine this is meant for. */
const LANES = 2;
/** Longer than any part takes on a busy machine; one that hangs is ended and has failed. */
const PART_MS_MAX = 25 * 60_000;
/** Of a failed part's output; the rest is in its log. */
const LINES_SHOWN = 60;

/** What the part wrote, when that is a result and its own. */
async function readResult(part: TrustPart): Promise<TrustResult | null> {
  const path = resultPath(part.name);
  if (!existsSync(path)) return null;
  const read = trustResult.safeParse(JSON.parse(await readFile(path, "utf8")));
  return read.success && read.data.part === part.name ? read.data : null;
}

async function runPart(part: TrustPart): Promise<Row> {
  await rm(resultPath(part.name), { force: true });
  const memory = part.isInMemory ? await memoryFolder() : null;
  const startedAtMs = performance.now();
  const environment = {
    NO_COLOR: "1",
    TRUST_SCALE: "full",
    ...(memory === null ? {} : { TMPDIR: memory }),
    ...part.environment,
    TRUST_PART: part.name,
  };
  const { code, output } = await runTool(part.tool, part.parameters, environment, PART_MS_MAX);
  const durationMs = performance.now() - startedAtMs;
  await writeFile(outputPath(part.name), output);
  const atLeast = isScaledByHand(process.env) ? {} : part.atLeast;
  const row = { ...part, atLeast, result: await readResult(part), hasPassed: code === 0, durationMs };
  const missed = missedIn(row).map((text) => `Only ${text}.`);
  const lines = [...output.trim().split("\n").slice(-LINES_SHOWN), ...missed];
  const end = isClean(row) ? "" : `\n${lines.join("\n")}\n`;
  console.log(`${isClean(row) ? "pass" : "FAIL"}  ${part.name}: ${part.title}${end}`);
  return row;
}

/** The named parts, or all. */
function chooseParts(names: readonly string[]): readonly TrustPart[] {
  const unknown = names.filter((name) => !TRUST_PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = TRUST_PARTS.map((part) => part.name).join(", ");
    throw new Failure(`There is no part ${unknown.join(", ")}. The parts are ${known}.`);
  }
  return names.length === 0 ? TRUST_PARTS : TRUST_PARTS.filter((part) => names.includes(part.name));
}

await runScript(async () => {
  const parts = chooseParts(process.argv.slice(2));
  await makeDocsAssets();
  await mkdir(new URL(".", resultPath("any")), { recursive: true });
  const waiting = [...parts];
  const rows: Row[] = [];
  const lane = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      rows.push(await runPart(part));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const position = (row: Row) => parts.findIndex((part) => part.name === row.name);
  rows.sort((left, right) => position(left) - position(right));
  console.log(`\n${tableOf(rows)}\n`);
  const failures = rows.filter((row) => !isClean(row)).length;
  console.log(
    failures === 0
      ? "Nothing lost, duplicated, leaked or hung."
      : `${failures} of ${rows.length} parts failed; their output is in .cache/trust.`,
  );
  if (failures > 0) process.exitCode = 1;
});
