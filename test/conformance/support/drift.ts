import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runTool } from "../../../scripts/local/tool.ts";
import { TRAFFIC_ORIGIN } from "./traffic.ts";

/** Compares exchanges with schema/openapi.json, using `redocly drift`. */

const reportSchema = z.object({
  run: z.object({ totalExchanges: z.number() }),
  problems: z.array(
    z.object({
      ruleId: z.string(),
      message: z.string(),
      operationId: z.string().optional(),
      target: z.enum(["request", "response"]),
      /** Method of the first exchange with the problem; its path and status follow. */
      method: z.string(),
      path: z.string(),
      status: z.number(),
    }),
  ),
});

type Problem = z.infer<typeof reportSchema>["problems"][number];

export interface Drift {
  /** Number of compared exchanges. */
  readonly exchanges: number;
  /** Each kind of difference, with its first exchange. */
  readonly places: ReadonlyMap<string, string>;
}

const QUIET = { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off", NO_COLOR: "1" };

/**
 * Clauses also send invalid requests, which lack a key, a member or a header. Accepted requests come first in the
 * traffic, so a problem whose first exchange was refused occurs only in refused requests.
 */
const isOfRefusedRequest = ({ ruleId, target, status }: Problem): boolean =>
  target === "request" && status >= 400 && ruleId !== "undocumented-endpoint";

const nameOf = ({ ruleId, operationId, message, method, path }: Problem): string =>
  operationId === undefined ? `${ruleId}: ${method} ${path}` : `${ruleId}: ${operationId}: ${message}`;

/** Differences between the description and the traffic (NDJSON, accepted requests first). */
export async function findDrift(traffic: readonly string[]): Promise<Drift> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-drift-"));
  const [input, report] = [join(folder, "traffic.ndjson"), join(folder, "report.json")];
  try {
    await writeFile(input, traffic.join("\n"));
    const { output } = await runTool(
      "redocly",
      [
        ...["drift", input, "--api", "schema/openapi.json", "--server", TRAFFIC_ORIGIN],
        ...["--min-severity", "warning", "--format", "json", "--output", report],
      ],
      QUIET,
    );
    const text = await readFile(report, "utf8").catch(() => {
      throw new Error(`redocly drift printed nothing: ${output}`);
    });
    const { run, problems } = reportSchema.parse(JSON.parse(text));
    const places = problems
      .filter((problem) => !isOfRefusedRequest(problem))
      .map((problem) => [nameOf(problem), `${problem.method} ${problem.path}: ${problem.status}`] as const)
      // Reversed, because the map keeps the last exchange of each name.
      .reverse();
    return { exchanges: run.totalExchanges, places: new Map(places) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
