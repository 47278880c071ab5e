import { randomBytes } from "node:crypto";
import { type EmulatorOptions, type Emulators, startEmulators } from "./start-emulators.ts";

/** Emulators of one worker, with the variables that let it speak to them. */
export interface WorkerEmulators {
  readonly emulators: Emulators;
  readonly mailVars: Readonly<Record<string, string>>;
  readonly stripeVars: Readonly<Record<string, string>>;
}

const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/** Starts the emulators for a worker that will be at `origin`. */
export async function startEmulatorsFor(
  origin: string,
  options: Pick<EmulatorOptions, "statePath"> = {},
): Promise<WorkerEmulators> {
  const [webhookSecret, mailWebhookSecret] = [newSecret(), newSecret()];
  const emulators = await startEmulators({
    ...options,
    webhookUrl: `${origin}/api/billing/events`,
    webhookSecret,
    mailWebhookUrl: `${origin}/api/mail/events`,
    mailWebhookSecret,
  });
  return {
    emulators,
    mailVars: {
      PUBLIC_ORIGIN: origin,
      MAIL_FROM: "Creative Packs <mail@packs.example>",
      MAIL_API_KEY: "re_local",
      MAIL_API_URL: emulators.mailOrigin,
      MAIL_WEBHOOK_SECRET: mailWebhookSecret,
    },
    stripeVars: {
      STRIPE_SECRET_KEY: "sk_test_local",
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: emulators.stripeOrigin,
      BILLING_OFFERS: emulators.offers,
    },
  };
}
