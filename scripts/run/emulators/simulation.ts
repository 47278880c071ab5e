import { isSetLocally } from "../../local/secrets.ts";
import { startEmulators } from "./start-emulators.ts";

/** Simulated providers of `npm run dev`. */
export interface Simulation {
  /** Null if .dev.vars configures a real provider. */
  readonly mailOrigin: string | null;
  readonly stripeOrigin: string | null;
  /** Variables for the worker that override .dev.vars. */
  readonly vars: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Simulates the providers without a key in .dev.vars. Purchases are stored next to the database. */
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
