import { LOOPBACK_VARS } from "../../../scripts/local/worker.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import { type SeededWorkspace, seedWorkspace } from "./arrange.ts";
import { type Service, startService } from "./service.ts";

/** The origins and workspaces that the clauses play on. */
export interface Stage {
  /** Everything configured, windows wide open; deliveries may go to this machine. */
  readonly service: Service;
  /** Everything configured, one request a window in every family, one preview a burst. */
  readonly tight: Service;
  /** No database. */
  readonly bare: Service;
  /** A database without tables: whatever reads it fails. */
  readonly broken: Service;
  /** No file storage, and no counters of previews. */
  readonly withoutStorage: Service;
  /** No queue; one preview a day. */
  readonly withoutQueue: Service;
  /** No signing of links, no trials, no accounts; the counters of previews do not answer. */
  readonly withoutDelivery: Service;
  readonly rich: SeededWorkspace;
  readonly stranger: SeededWorkspace;
  readonly allScopes: readonly string[];
  readonly close: () => Promise<void>;
}

const FAMILIES = [
  ...["READ", "WRITE", "UPLOAD_BYTES", "JOBS", "DOWNLOADS", "KEYS", "TRIAL"],
  ...["SIGN_UP", "SIGN_IN", "SIGN_IN_EMAIL"],
];

const windowsOf = (limit: number) =>
  Object.fromEntries(FAMILIES.map((family) => [`RATE_LIMIT_${family}`, String(limit)]));

export async function raiseStage(): Promise<Stage> {
  const wide = { vars: windowsOf(1_000_000) };
  const [service, tight, bare, broken, withoutStorage, withoutQueue, withoutDelivery] = await Promise.all([
    startService({ vars: { ...wide.vars, ...LOOPBACK_VARS } }),
    startService({ vars: { ...windowsOf(1), PREVIEW_BURST: "1" } }),
    startService({ ...wide, without: ["DB"] }),
    startService({ ...wide, isMigrated: false }),
    startService({ ...wide, without: ["BUCKET", "PREVIEW_QUOTA"] }),
    startService({ vars: { ...wide.vars, PREVIEW_DAILY: "1" }, without: ["RENDER_QUEUE"] }),
    startService({
      ...wide,
      without: ["DOWNLOAD_SIGNING_KEY", "TRIAL_SECRET", "AUTH_SECRET"],
      mistaken: { PREVIEW_QUOTA: "IdempotencyLock" },
    }),
  ]);
  const services = [service, tight, bare, broken, withoutStorage, withoutQueue, withoutDelivery];
  return {
    service,
    tight,
    bare,
    broken,
    withoutStorage,
    withoutQueue,
    withoutDelivery,
    rich: await seedWorkspace(service, { credits: 100_000, name: "Rich" }),
    stranger: await seedWorkspace(service, { credits: 100_000, name: "Stranger" }),
    allScopes: SCOPES,
    close: async () => {
      await Promise.all(services.map((started) => started.stop()));
    },
  };
}
