import type { Context } from "hono";
import { uuidSchema } from "../api/schemas/primitives.ts";
import type { LogLine } from "../platform/log.ts";
import type { AppEnv } from "./context.ts";

const NAMES = ["jobId", "assetId", "artifactId", "deliveryId"] as const;

/** What a request is about, or has made. */
export type Subject = Pick<LogLine, (typeof NAMES)[number]>;

/** Has the request's log line name what the ids among these members are of. Of a path's parameters, only UUIDs count. */
export function nameSubject(c: Context<AppEnv>, members: object): void {
  const ids = Object.entries(members).flatMap(([name, value]) => {
    const id = NAMES.some((known) => known === name) ? uuidSchema.safeParse(value) : null;
    return id?.success ? [[name, id.data]] : [];
  });
  if (ids.length > 0) c.set("subject", { ...c.get("subject"), ...Object.fromEntries(ids) });
}
