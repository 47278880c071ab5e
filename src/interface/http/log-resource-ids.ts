import type { Context } from "hono";
import { uuidSchema } from "#api/schemas/primitives.ts";
import type { AppEnv, Subject } from "./context.ts";

const NAMES: readonly string[] = ["jobId", "assetId", "artifactId", "deliveryId"] satisfies (keyof Subject)[];

/** Adds the ids of resources among these members to the request's log line. Anything that is not a UUID is ignored. */
export function nameSubject(c: Context<AppEnv>, members: object): void {
  const ids = Object.entries(members).flatMap(([name, value]) => {
    const id = NAMES.includes(name) ? uuidSchema.safeParse(value) : null;
    return id?.success ? [[name, id.data]] : [];
  });
  if (ids.length > 0) c.set("subject", { ...c.get("subject"), ...Object.fromEntries(ids) });
}
