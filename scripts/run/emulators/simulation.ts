import { isSetLocally } from "../../local/secrets.ts";
import { startEmulators } from "./start-emulators.ts";

/** What `npm run dev` simulates of payments and mail. */
export interface Simulation {
  /** Null where .dev.vars has a provider of its own. */
  readonly mailOrigin: string | null;
  readonly stripeOrigin: string | null;
  /** For the worker, over those of .dev.vars. */
  readonly vars: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Simulates the providers that .dev.vars has no key of. What was bought is kept beside the database. */
export async function startSimulation(port: number, stateFolder: string): Promise<Simulation> {
  const hasStripe = isSetLocally("STRIPE_SECRET_KEY");
  const hasMail = isSetLocally("MAIL_API_KEY");
  if (hasStripe && hasMail) {
    return { mailOrigin: null, stripeOrigin: null, vars: {}, stop: async () => undefined };
  }
  const { join, mailOrigin, stripeOrigin, stop } = await startEmulators(`${stateFolder}/stripe.json`);
  const vars = join(`http://127.0.0.1:${port}`);
  return {
    mailOrigin: hasMail ? null : mailOrigin,
    stripeOrigin: hasStripe ? null : stripeOrigin,
    vars: { ...(hasMail ? {} : vars.mail), ...(hasStripe ? {} : vars.stripe) },
    stop,
  };
}
