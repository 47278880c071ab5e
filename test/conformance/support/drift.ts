import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runTool } from "../../../scripts/local/tool.ts";
import { TRAFFIC_ORIGIN, type Traffic } from "./traffic.ts";

/** Compares exchanges with schema/openapi.json, by `redocly drift`. */

const reportSchema = z.object({
  run: z.object({ totalExchanges: z.number() }),
  problems: z.array(
    z.object({
      ruleId: z.string(),
      severity: z.string(),
      message: z.string(),
      operationId: z.string().optional(),
      dataPath: z.string().optional(),
      method: z.string(),
      path: z.string(),
      status: z.number().optional(),
      details: z.object({ actual: z.string().optional() }).optional(),
    }),
  ),
});

type Problem = z.infer<typeof reportSchema>["problems"][number];

export interface Drift {
  /** How many exchanges were compared. */
  readonly exchanges: number;
  /** Each kind of difference once, with its first place. */
  readonly findings: readonly { readonly finding: string; readonly place: string }[];
}

const QUIET = { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off", NO_COLOR: "1" };

const withoutIds = (text: string): string =>
  text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}").replace(/\.\d+\b/g, ".{n}");

const findingOf = ({ ruleId, operationId, message }: Problem): string =>
  withoutIds(`${ruleId}, ${operationId ?? "no operation"}: ${message}`);

async function run(folder: string, lines: readonly string[], rules: string) {
  const [traffic, report] = [join(folder, `${rules}.ndjson`), join(folder, `${rules}.json`)];
  await writeFile(traffic, lines.join("\n"));
  await writeFile(`/tmp/uses-${rules}.ndjson`, lines.join("\n"));
  const { output } = await runTool(
    "redocly",
    [
      "drift",
      traffic,
      ...["--api", "schema/openapi.json", "--server", TRAFFIC_ORIGIN, "--rules", rules],
      ...["--min-severity", "warning", "--format", "json", "--output", report],
    ],
    QUIET,
  );
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`redocly drift has told nothing: ${output}`);
  });
  return reportSchema.parse(JSON.parse(text));
}

/**
 * What differs. That whoever needs a key has one is asked of accepted requests alone: the clauses send others on
 * purpose, and they are refused.
 */
export async function findDrift({ served, accepted }: Traffic): Promise<Drift> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-drift-"));
  try {
    const schemas = await run(folder, served, "undocumented-endpoint,schema-consistency");
    const security = await run(folder, accepted, "security-baseline");
    const places = new Map<string, string>();
    for (const problem of [...schemas.problems, ...security.problems]) {
      const { method, path, status, details } = problem;
      const finding = findingOf(problem);
      const place = `${method} ${path}, ${status}: ${JSON.stringify(details?.actual)}`;
      if (!places.has(finding)) places.set(finding, place);
    }
    return {
      exchanges: schemas.run.totalExchanges,
      findings: [...places].map(([finding, place]) => ({ finding, place })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
