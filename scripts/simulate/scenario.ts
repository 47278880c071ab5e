import { z } from "zod";
import { Failure } from "../local/failure.ts";

/** What is simulated. */
export interface Scenario {
  readonly workspaces: number;
  readonly outputsAMonth: number;
  readonly shards: number;
  /** Days that are run event by event. */
  readonly days: number;
  readonly seed: number;
  /** Exponent of the tail over workspaces. */
  readonly tail: number;
  /** How far the wave of a day rises above its mean, as a share of it. */
  readonly wave: number;
  /** Mean packs that somebody asks for at once. */
  readonly burst: number;
  readonly consumers: number;
  readonly queuedMessagesMax: number;
  readonly placement: "balanced" | "random";
}

export const OPTIONS = {
  workspaces: { type: "string" },
  "outputs-a-month": { type: "string" },
  shards: { type: "string" },
  days: { type: "string" },
  seed: { type: "string" },
  tail: { type: "string" },
  wave: { type: "string" },
  burst: { type: "string" },
  consumers: { type: "string" },
  "queued-messages": { type: "string" },
  placement: { type: "string" },
} as const;

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const schema = z.object({
  workspaces: count(1, 1_000_000),
  "outputs-a-month": z.coerce.number().min(1_000).max(1e11),
  shards: count(1, 5_000),
  days: count(1, 31),
  seed: count(0, 2 ** 31 - 1),
  tail: z.coerce.number().gt(1).max(10),
  wave: z.coerce.number().min(0).max(1),
  burst: z.coerce.number().min(1).max(1_000),
  consumers: count(1, 250),
  "queued-messages": count(1, 1_000_000),
  placement: z.enum(["balanced", "random"]),
});

/** The load of docs/scaling.md. The consumers and the share are those of the deployment, unless an option says else. */
export function readScenario(
  values: Readonly<Record<string, unknown>>,
  deployed: { readonly consumers: number; readonly queuedMessagesMax: number },
): Scenario {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const read = schema.safeParse({
    workspaces: 10_000,
    "outputs-a-month": 1e8,
    shards: 64,
    days: 1,
    seed: 1,
    tail: 1.16,
    wave: 0.8,
    burst: 5,
    consumers: deployed.consumers,
    "queued-messages": deployed.queuedMessagesMax,
    placement: "balanced",
    ...given,
  });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Failure(`--${issue?.path.join(".")}: ${issue?.message}.`);
  }
  const { "outputs-a-month": outputsAMonth, "queued-messages": queuedMessagesMax, ...rest } = read.data;
  return { ...rest, outputsAMonth, queuedMessagesMax };
}
