/**
 * Renders every family in every size, every look, eight brands, and animations into gallery/: npm run gallery
 *
 * `--family f`, `--set s`, `--look l` and `--size id` select a part; the page then shows only this part.
 */
import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { drawAll } from "./gallery/draw-all.ts";
import type { Drawing, DrawRequest } from "./gallery/draw-messages.ts";
import { readFilters } from "./gallery/filters.ts";
import { writeIndexPage } from "./gallery/index-page.ts";
import { writeMotionPage } from "./gallery/moving-packs.ts";
import { chapterOf, partOf } from "./gallery/packs.ts";
import { planRequests } from "./gallery/plan.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";
import { formatSeconds } from "./run/demo/figures.ts";

const folder = inRoot("gallery");

await runScript(async () => {
  const filters = readFilters();
  const requests = planRequests(filters, folder);
  const expected = requests.reduce((sum, request) => sum + request.sizeIds.length, 0);
  if (expected === 0)
    throw new Failure("No output of the gallery is that: see --family, --set, --look and --size.");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const startMs = performance.now();
  const problems: string[] = [];
  let done = 0;
  const answers = await drawAll(requests, Math.min(2, availableParallelism()), (request, outcomes) => {
    done += outcomes.length;
    for (const outcome of outcomes) {
      const name = `${nameOf(request)} ${outcome.sizeId}`;
      if (!outcome.ok) problems.push(`${name}: ${outcome.code}: ${outcome.message}`);
      else if (outcome.compliance.verdict === "fail") problems.push(`${name}: ${failedRules(outcome)}`);
    }
    process.stderr.write(`${String(done).padStart(4)} of ${expected}  ${nameOf(request)}\n`);
  });
  const shown = requests.map((request, at) => ({ pack: request.pack, outcomes: answers[at] ?? [] }));
  await writeIndexPage(folder, shown);
  const moving = requests
    .map(({ pack }) => pack)
    .filter(({ set, family }) => set === "looks" && (family === "product" || family === "campaign"));
  await writeMotionPage(folder, moving);
  const elapsed = formatSeconds(performance.now() - startMs);
  console.log(`${done} outputs in ${elapsed}: gallery/index.html`);
  if (problems.length > 0) throw new Failure(`${problems.length} failed:\n${problems.join("\n")}`);
});

function nameOf({ pack }: DrawRequest): string {
  return `${chapterOf(pack)}, ${partOf(pack)}${pack.set === "words" ? ` (${pack.language})` : ""}`;
}

function failedRules({ compliance }: Drawing): string {
  return compliance.checks
    .filter((check) => !check.passed)
    .map((check) => `${check.rule} is ${check.actual}, required ${check.required}`)
    .join("; ");
}
