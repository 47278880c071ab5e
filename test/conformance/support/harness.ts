import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { SCOPES } from "#api/scopes.ts";
import { LOOPBACK_VARS } from "../../../scripts/local/worker.ts";
import { PRICE_LIST } from "../../../scripts/run/emulators/price-list.ts";
import { type Emulators, startEmulators } from "../../../scripts/run/emulators/start-emulators.ts";
import { type SeededWorkspace, seedWorkspace } from "./arrange.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

/** One origin and its workspaces, for clauses that need no unusual setup. */
export interface MainHarness {
  /** A fully configured origin with high limits. Its deliveries may go to this machine. */
  readonly service: Service;
  readonly rich: SeededWorkspace;
  readonly stranger: SeededWorkspace;
  readonly close: () => Promise<void>;
}

/** The origins and workspaces that the clauses share. */
export interface Harness extends MainHarness {
  /** A fully configured origin that allows one request per window and one preview per burst. */
  readonly tight: Service;
  /** An origin without a database. */
  readonly bare: Service;
  /** An origin whose database has no tables, so that every read fails. */
  readonly broken: Service;
  /** An origin without file storage and preview counters, whose payment provider does not answer. */
  readonly withoutStorage: Service;
  /** An origin without a queue that allows one preview per day. */
  readonly withoutQueue: Service;
  /** An origin without link signing, trials and accounts, whose preview counters fail. */
  readonly withoutDelivery: Service;
  /** The payment provider of `service`. */
  readonly emulators: Emulators;
  readonly allScopes: readonly string[];
}

const windowsOf = (limit: number) =>
  Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), String(limit)]));

/** Signs the mail provider's reports. */
export const MAIL_WEBHOOK_SECRET = `whsec_${btoa("conformance-tests-mail-reports")}`;

/** A port without a listener. */
const NOWHERE = "http://127.0.0.1:9";

/** Mail is not sent; tests read the outbox. */
const MAIL = {
  MAIL_FROM: "Creative Packs <mail@packs.example>",
  MAIL_API_KEY: "conformance-tests-mail",
  MAIL_API_URL: NOWHERE,
  MAIL_WEBHOOK_SECRET,
};

/** Mail links contain the origin. */
const varsAt = (origin: string) => ({ PUBLIC_ORIGIN: origin });

/** An offer whose price the payment provider lacks. */
export const OFFER_WITHOUT_PRICE = "credits-nowhere";

const WIDE = { vars: windowsOf(1_000_000) };

/**
 * Starts the fully configured origin. `unansweredBilling` are the settings of an origin with the same offers and a payment provider
 * that does not answer.
 */
async function startSelling() {
  const emulators = await startEmulators();
  const { join } = emulators;
  const [credits] = PRICE_LIST;
  const missing = { ...credits, offerId: OFFER_WITHOUT_PRICE, priceId: "price_of_nothing" };
  const offers = JSON.stringify([...PRICE_LIST, missing]);
  // These settings contain the emulated provider's webhook secret. `join` is called for the service afterwards, because
  // the provider sends events to the origin of the last call.
  const unansweredBilling = {
    ...join(NOWHERE).stripe,
    ENVIRONMENT: "local",
    STRIPE_API_URL: NOWHERE,
    BILLING_OFFERS: offers,
  };
  const service = await startService({
    vars: { ...WIDE.vars, ...LOOPBACK_VARS, ...MAIL },
    varsAt: (origin) => ({ ...join(origin).stripe, BILLING_OFFERS: offers, ...varsAt(origin) }),
  });
  return { service, emulators, unansweredBilling };
}

const workspacesOf = async (service: Service) => ({
  rich: await seedWorkspace(service, { credits: 100_000, name: "Rich" }),
  stranger: await seedWorkspace(service, { credits: 100_000, name: "Stranger" }),
});

export async function startMainHarness(): Promise<MainHarness> {
  const { service, emulators } = await startSelling();
  return {
    service,
    ...(await workspacesOf(service)),
    close: async () => {
      await service.stop();
      await emulators.stop();
    },
  };
}

export async function startHarness(): Promise<Harness> {
  const { service, emulators, unansweredBilling } = await startSelling();
  const services: Service[] = [service];
  // One after another: starting blocks this process, and connections to running services would go stale.
  const start = async (options: ServiceOptions): Promise<Service> => {
    const started = await startService(options);
    services.push(started);
    return started;
  };
  const tight = await start({
    vars: { ...windowsOf(1), PREVIEW_BURST: "1", ...MAIL, ...unansweredBilling },
    varsAt,
  });
  const bare = await start({ ...WIDE, without: ["DB"] });
  const broken = await start({
    vars: { ...WIDE.vars, ...MAIL, ...unansweredBilling },
    varsAt,
    isMigrated: false,
  });
  const withoutStorage = await start({
    vars: { ...WIDE.vars, ...unansweredBilling },
    without: ["BUCKET", "PREVIEW_QUOTA"],
  });
  const withoutQueue = await start({ vars: { ...WIDE.vars, PREVIEW_DAILY: "1" }, without: ["RENDER_QUEUE"] });
  const withoutDelivery = await start({
    ...WIDE,
    without: ["DOWNLOAD_SIGNING_KEY", "TRIAL_SECRET", "AUTH_SECRET"],
    failingClasses: { PREVIEW_QUOTA: "IdempotencyLock" },
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
    ...(await workspacesOf(service)),
    allScopes: SCOPES,
    close: async () => {
      await Promise.all(services.map((started) => started.stop()));
      await emulators.stop();
    },
  };
}
