import { beforeAll, describe, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { bombsOf } from "./bombs/index.ts";
import type { Finding } from "./cell/job.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { type Ran, runCells } from "./run-cells.ts";

/**
 * Any uploaded bytes are read and drawn within a second of CPU time and the memory of an isolate, and give a result
 * instead of a trap or an exception. The next good file is then drawn correctly.
 */

const DEFAULT_SEED = 20_261_121;
const { mutations, isQuick, seed } = stressScale();

const countOf = (findings: readonly Finding[], ...faults: readonly Finding["fault"][]): number =>
  findings.filter(({ fault }) => faults.includes(fault)).length;

/**
 * Losses of a run. A good file that is drawn wrong counts as lost. Excess memory and escaped exceptions end the isolate
 * with everything in progress.
 */
const lossesOf = ({ findings }: Ran) => ({
  lost: countOf(findings, "spoilt", "memory", "escaped", "unexpected"),
  hung: countOf(findings, "hung"),
});

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

describe("hand-made bombs", () => {
  const bombs = bombsOf(isQuick);
  let ran: Ran | null = null;

  beforeAll(async () => {
    ran = await runCells({ work: { mode: "bombs", isQuick }, from: 0, to: bombs.length });
  });

  it("are all read", ({ task }) => {
    if (ran === null) throw new Error("the bombs did not run");
    reportStress(task, { counts: { bombs: bombs.length }, ...lossesOf(ran) });
    console.log(
      `${bombs.length} bombs; slowest ${ran.slowest.cpuMs} ms of CPU time ("${ran.slowest.name}"), ` +
        `${megabytes(ran.wasmBytesPeak)} MB in WASM and ${megabytes(ran.residentGrowthBytesPeak)} MB more resident at most`,
    );
    expect(Object.values(ran.outcomes).reduce((sum, count) => sum + count, 0)).toBe(bombs.length);
  });

  it.each(bombs.map(({ kind, name }, index) => ({ kind, name, index })))(
    "do no harm ($kind: $name)",
    ({ index }) => {
      expect(ran?.findings.filter((finding) => finding.index === index)).toEqual([]);
    },
  );
});

/** One process per kind; in a quick run one process with alternating kinds. */
const groups: readonly (readonly Kind[])[] = isQuick ? [KINDS] : KINDS.map((kind) => [kind]);

it.for(groups)("seeded mutations do no harm: %j", async (kinds, { task }) => {
  const used = seed ?? DEFAULT_SEED;
  const to = Math.ceil(mutations / groups.length);
  const ran = await runCells({ work: { mode: "mutations", kinds, seed: used }, from: 0, to });
  reportStress(task, { counts: { mutations: to }, ...lossesOf(ran) });
  console.log(
    `${to} mutations from seed ${used}; slowest ${ran.slowest.cpuMs} ms of CPU time, ` +
      `${megabytes(ran.wasmBytesPeak)} MB in WASM: ${JSON.stringify(ran.outcomes)}`,
  );
  expect(ran.findings).toEqual([]);
});
