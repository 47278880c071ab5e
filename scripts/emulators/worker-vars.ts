import { randomBytes } from "node:crypto";
import { type EmulatorOptions, type Emulators, startEmulators } from "./start-emulators.ts";

/** The variables that let a worker speak to the emulators. */
export interface EmulatorVars {
  readonly mail: Readonly<Record<string, string>>;
  readonly stripe: Readonly<Record<string, string>>;
}

/** Emulators that a worker is joined to once its address is known. */
export interface JoinedEmulators {
  readonly emulators: Emulators;
  /** Sends the worker at `origin` their events, and gives the variables that it needs. */
  readonly join: (origin: string) => EmulatorVars;
}

const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

export async function startJoinedEmulators(
  options: Pick<EmulatorOptions, "statePath"> = {},
): Promise<JoinedEmulators> {
  const [webhookSecret, mailWebhookSecret] = [newSecret(), newSecret()];
  const emulators = await startEmulators({
    ...options,
    webhookUrl: null,
    webhookSecret,
    mailWebhookUrl: null,
    mailWebhookSecret,
  });
  return {
    emulators,
    join: (origin) => {
      emulators.pointWebhooksAt(`${origin}/api/billing/events`);
      emulators.pointReportsAt(`${origin}/api/mail/events`);
      return {
        mail: {
          PUBLIC_ORIGIN: origin,
          MAIL_FROM: "Creative Packs <mail@packs.example>",
          MAIL_API_KEY: "re_local",
          MAIL_API_URL: emulators.mailOrigin,
          MAIL_WEBHOOK_SECRET: mailWebhookSecret,
        },
        stripe: {
          STRIPE_SECRET_KEY: "sk_test_local",
          STRIPE_WEBHOOK_SECRET: webhookSecret,
          STRIPE_API_URL: emulators.stripeOrigin,
          BILLING_OFFERS: emulators.offers,
        },
      };
    },
  };
}
