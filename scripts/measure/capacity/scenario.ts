import { z } from "zod";
import { Failure } from "../../local/failure.ts";

/** The load and the deployment of an estimate. */
export interface Scenario {
  readonly workspaces: number;
  readonly outputsAMonth: number;
  readonly shards: number;
  /** Exponent of the tail over workspaces. */
  readonly tail: number;
  /** How far the wave of a day rises above its mean, as a share of it. */
  readonly wave: number;
  readonly consumers: number;
}

export const OPTIONS = {
  workspaces: { type: "string" },
  "outputs-a-month": { type: "string" },
  shards: { type: "string" },
  tail: { type: "string" },
  wave: { type: "string" },
  consumers: { type: "string" },
} as const;

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const schema = z.object({
  workspaces: count(1, 1_000_000),
  "outputs-a-month": z.coerce.number().min(1_000).max(1e11),
  shards: count(1, 5_000),
  tail: z.coerce.number().gt(1).max(10),
  wave: z.coerce.number().min(0).max(1),
  consumers: count(1, 250),
});

/** The load of docs/scaling.md with the deployment's consumers, unless an option sets another. */
export function readScenario(
  values: Readonly<Record<string, unknown>>,
  deployed: { readonly consumers: number },
): Scenario {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const read = schema.safeParse({
    workspaces: 10_000,
    "outputs-a-month": 1e8,
    shards: 64,
    tail: 1.16,
    wave: 0.8,
    consumers: deployed.consumers,
    ...given,
  });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Failure(`--${issue?.path.join(".")}: ${issue?.message}.`);
  }
  const { "outputs-a-month": outputsAMonth, ...rest } = read.data;
  return { ...rest, outputsAMonth };
}
