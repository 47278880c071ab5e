import { z } from "zod";
import type { Offer } from "#platform/bindings/offers.ts";
import type { BillingFact } from "../events/billing-event.ts";

/** Members that objects of Stripe share, and our metadata in them. */

export const text = z.string().min(1).max(255);
export const integer = z.int();
/** An object of Stripe is its id, or itself where it was expanded. */
export const reference = z.union([text, z.object({ id: text }).transform(({ id }) => id)]);
export const metadata = z.record(z.string(), z.unknown()).nullish();

const ours = z.object({ orderId: text, workspaceId: text });

/** The order and workspace that our metadata name; null in those of others. */
export const readMetadata = (found: unknown): z.infer<typeof ours> | null =>
  ours.safeParse(found).data ?? null;

/** The order that our metadata name; null in those of others. */
export const orderIdOf = (found: unknown): string | null => readMetadata(found)?.orderId ?? null;

/** Reads the fact of an event's object; null where it has none for us. */
export type Reader = (object: unknown, offers: readonly Offer[]) => BillingFact | null;
