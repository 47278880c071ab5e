import { z } from "zod";
import type { StripeLibrary } from "../stripe/stripe.ts";

/** The card that a customer has let the provider keep, by its id there. Nothing else of it is read. */

const reference = z.union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)]);
const settings = z.object({
  invoice_settings: z.object({ default_payment_method: reference.nullish() }).nullish(),
});

/** The one that the customer pays invoices with, else the newest; null where there is none, or no such customer. */
export async function findKeptCard(
  { client, errors }: StripeLibrary,
  customerId: string,
): Promise<string | null> {
  try {
    const customer = await client.customers.retrieve(customerId);
    if (customer.deleted === true) return null;
    const chosen = settings.parse(customer).invoice_settings?.default_payment_method ?? null;
    if (chosen !== null) return chosen;
    const { data } = await client.paymentMethods.list({ customer: customerId, type: "card", limit: 1 });
    return data[0]?.id ?? null;
  } catch (thrown) {
    if (thrown instanceof errors.StripeInvalidRequestError && thrown.code === "resource_missing") return null;
    throw thrown;
  }
}
