import type { D1Migration } from "@cloudflare/vitest-plugin";
import type { Env } from "#platform/bindings/env.ts";

type Configured = Required<
  Pick<
    Env,
    | "DB"
    | "BUCKET"
    | "RENDER_QUEUE"
    | "VIDEO_QUEUE"
    | "DELIVERY_QUEUE"
    | "IMPORT_QUEUE"
    | "MAIL_QUEUE"
    | "SWEEP_QUEUE"
    | "RATE_LIMIT_WINDOW"
    | "IDEMPOTENCY_LOCK"
    | "PREVIEW_QUOTA"
  >
> &
  Env;

declare global {
  namespace Cloudflare {
    interface Env extends Configured {
      TEST_MIGRATIONS: D1Migration[];
      TEST_SHARD_00: D1Database;
      TEST_SHARD_01: D1Database;
      TEST_SHARD_02: D1Database;
      TEST_SHARD_03: D1Database;
    }
    interface GlobalProps {
      mainModule: typeof import("../../src/worker.ts");
    }
  }
}
