import { spawn } from "node:child_process";
import type { CellJob, CellReport, Finding } from "./cell/job.ts";

/** The combined result of a job's cells. */
export type Ran = Omit<CellReport, "next"> & { readonly files: number };

const CELL = new URL("./cell/cell.ts", import.meta.url).pathname;
/** Maximum number of cells per job. Each harmful file ends its cell. */
const CELLS_MAX = 200;

/** Runs one process and parses the line that it prints. */
function runCell(job: CellJob): Promise<CellReport> {
  return new Promise((resolve, reject) => {
    const cell = spawn(process.execPath, ["--no-warnings", "--expose-gc", CELL, JSON.stringify(job)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    cell.stdout.on("data", (chunk) => {
      output += chunk;
    });
    cell.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    cell.on("error", reject);
    cell.on("close", (code) => {
      if (code === 0 && output.trim() !== "") resolve(JSON.parse(output));
      else reject(new Error(`a cell ended with ${code}: ${errors.slice(-2_000)}`));
    });
  });
}

/** Runs a job to its end. After each harmful file a new process continues. */
export async function runCells(job: CellJob): Promise<Ran> {
  const outcomes: Record<string, number> = {};
  const findings: Finding[] = [];
  let slowest = { name: "", cpuMs: 0 };
  let wasmBytesPeak = 0;
  let residentGrowthBytesPeak = 0;
  let from = job.from;
  for (let cells = 0; from < job.to; cells += 1) {
    if (cells === CELLS_MAX) throw new Error(`more than ${CELLS_MAX} cells were spoilt`);
    const report = await runCell({ ...job, from });
    for (const [outcome, count] of Object.entries(report.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    }
    findings.push(...report.findings);
    if (report.slowest.cpuMs > slowest.cpuMs) slowest = report.slowest;
    wasmBytesPeak = Math.max(wasmBytesPeak, report.wasmBytesPeak);
    residentGrowthBytesPeak = Math.max(residentGrowthBytesPeak, report.residentGrowthBytesPeak);
    from = report.next;
  }
  return { outcomes, findings, slowest, wasmBytesPeak, residentGrowthBytesPeak, files: job.to - job.from };
}
