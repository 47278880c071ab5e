import { PRICE_LIST } from "../../../scripts/emulators/price-list.ts";
import type { Emulators } from "../../../scripts/emulators/start-emulators.ts";
import { startJoinedEmulators } from "../../../scripts/emulators/worker-vars.ts";
import { LOOPBACK_VARS } from "../../../scripts/local/worker.ts";
import { WINDOW_NAMES, windowVariable } from "../../../src/api/limits.ts";
import { SCOPES } from "../../../src/api/scopes.ts";
import { type SeededWorkspace, seedWorkspace } from "./arrange.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

/** The origins and workspaces that the clauses share. */
export interface Harness {
  /** Everything configured, windows wide open; deliveries may go to this machine. */
  readonly service: Service;
  /** Everything configured, one request a window in every family, one preview a burst. */
  readonly tight: Service;
  /** No database. */
  readonly bare: Service;
  /** A database without tables: whatever reads it fails. */
  readonly broken: Service;
  /** No file storage, no counters of previews, and a payment provider that does not answer. */
  readonly withoutStorage: Service;
  /** No queue; one preview a day. */
  readonly withoutQueue: Service;
  /** No signing of links, no trials, no accounts; the counters of previews do not answer. */
  readonly withoutDelivery: Service;
  /** The payment provider of `service`. */
  readonly emulators: Emulators;
  readonly rich: SeededWorkspace;
  readonly stranger: SeededWorkspace;
  readonly allScopes: readonly string[];
  readonly close: () => Promise<void>;
}

const windowsOf = (limit: number) =>
  Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), String(limit)]));

/** Signs the reports of the mail provider. */
export const MAIL_WEBHOOK_SECRET = `whsec_${btoa("conformance-tests-mail-reports")}`;

/** A port that nobody listens at. */
const NOWHERE = "http://127.0.0.1:9";

/** Mail goes nowhere: what is written is seen in the outbox. */
const MAIL = {
  MAIL_FROM: "Creative Packs <mail@packs.example>",
  MAIL_API_KEY: "conformance-tests-mail",
  MAIL_API_URL: NOWHERE,
  MAIL_WEBHOOK_SECRET,
};

/** Links of mails name the origin. */
const varsAt = (origin: string) => ({ PUBLIC_ORIGIN: origin });

/** An offer whose price the payment provider does not have. */
export const OFFER_WITHOUT_PRICE = "credits-nowhere";

export async function startHarness(): Promise<Harness> {
  const wide = { vars: windowsOf(1_000_000) };
  const { emulators, join } = await startJoinedEmulators();
  const [credits] = PRICE_LIST.map(({ offer }) => offer);
  const missing = { ...credits, offerId: OFFER_WITHOUT_PRICE, priceId: "price_of_nothing" };
  const offers = JSON.stringify([...PRICE_LIST.map(({ offer }) => offer), missing]);
  // Its events are signed as those of the provider that answers.
  const away = {
    ...join(NOWHERE).stripe,
    ENVIRONMENT: "local",
    STRIPE_API_URL: NOWHERE,
    BILLING_OFFERS: offers,
  };
  const services: Service[] = [];
  // One after another: starts block this process, and connections of those that are up would go stale meanwhile.
  const start = async (options: ServiceOptions): Promise<Service> => {
    const started = await startService(options);
    services.push(started);
    return started;
  };
  const service = await start({
    vars: { ...wide.vars, ...LOOPBACK_VARS, ...MAIL },
    varsAt: (origin) => ({ ...join(origin).stripe, BILLING_OFFERS: offers, ...varsAt(origin) }),
  });
  const tight = await start({ vars: { ...windowsOf(1), PREVIEW_BURST: "1", ...MAIL, ...away }, varsAt });
  const bare = await start({ ...wide, without: ["DB"] });
  const broken = await start({ vars: { ...wide.vars, ...MAIL, ...away }, varsAt, isMigrated: false });
  const withoutStorage = await start({
    vars: { ...wide.vars, ...away },
    without: ["BUCKET", "PREVIEW_QUOTA"],
  });
  const withoutQueue = await start({ vars: { ...wide.vars, PREVIEW_DAILY: "1" }, without: ["RENDER_QUEUE"] });
  const withoutDelivery = await start({
    ...wide,
    without: ["DOWNLOAD_SIGNING_KEY", "TRIAL_SECRET", "AUTH_SECRET"],
    mistaken: { PREVIEW_QUOTA: "IdempotencyLock" },
  });
  return {
    service,
    tight,
    bare,
    broken,
    withoutStorage,
    withoutQueue,
    withoutDelivery,
    emulators,
    rich: await seedWorkspace(service, { credits: 100_000, name: "Rich" }),
    stranger: await seedWorkspace(service, { credits: 100_000, name: "Stranger" }),
    allScopes: SCOPES,
    close: async () => {
      await Promise.all(services.map((started) => started.stop()));
      await emulators.stop();
    },
  };
}
