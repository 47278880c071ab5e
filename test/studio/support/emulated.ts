import type { Page } from "playwright-core";
import { LOOPBACK_VARS } from "../../../scripts/local/worker.ts";
import type { SentMail } from "../../../scripts/run/emulators/mail.ts";
import { type Emulators, startEmulators } from "../../../scripts/run/emulators/start-emulators.ts";
import { openStudio, type Studio, type Visitor } from "./studio.ts";

/** A Studio whose service sells through a simulated Stripe and sends mail to a readable mailbox. */
export interface EmulatedStudio extends Studio {
  readonly emulators: Emulators;
}

export async function openEmulatedStudio(): Promise<EmulatedStudio> {
  const emulators = await startEmulators();
  const studio = await openStudio({
    vars: LOOPBACK_VARS,
    varsAt: (origin) => {
      const { mail, stripe } = emulators.join(origin);
      return { ...mail, ...stripe };
    },
  });
  return {
    ...studio,
    emulators,
    close: async () => {
      await emulators.delivered();
      await studio.close();
      await emulators.stop();
    },
  };
}

/** Errors of a visitor's pages, without those of the emulators' pages. */
export const ownFaults = ({ emulators }: EmulatedStudio, { faults }: Visitor): readonly string[] =>
  faults().filter(
    (fault) => ![emulators.stripeOrigin, emulators.mailOrigin].some((origin) => fault.includes(origin)),
  );

/** Opens an email in the emulated mailbox and presses its button, which opens a tab. */
export async function pressInMail(
  { emulators }: EmulatedStudio,
  { context }: Visitor,
  mail: SentMail,
  button: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${emulators.mailOrigin}/mails/${mail.id}`);
  const opening = context.waitForEvent("page");
  await page.frameLocator("iframe").getByRole("link", { name: button }).click();
  const opened = await opening;
  await page.close();
  return opened;
}

/**
 * Buys an offer of the billing page on the emulated payment page, and waits until the service has received the event.
 */
export async function buyOnPage(page: Page, button: string, total: string, thanks: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("button", { name: `Pay ${total}` }).click();
  await page.getByText(thanks).waitFor();
}
