import { z } from "zod";
import type { Offer } from "#platform/bindings/offers.ts";
import type { BillingFact } from "../events/billing-event.ts";

/** Fields common to Stripe's objects, and our metadata in them. */

export const text = z.string().min(1).max(255);
export const integer = z.int();
/** Stripe refers to an object by its id, or embeds it when expanded. */
export const reference = z.union([text, z.object({ id: text }).transform(({ id }) => id)]);
export const metadata = z.record(z.string(), z.unknown()).nullish();

const ours = z.object({ orderId: text, workspaceId: text });

/** The order and workspace in an object's metadata; null if the metadata is not ours. */
export const readMetadata = (found: unknown): z.infer<typeof ours> | null =>
  ours.safeParse(found).data ?? null;

/** The order in an object's metadata; null if the metadata is not ours. */
export const orderIdOf = (found: unknown): string | null => readMetadata(found)?.orderId ?? null;

/** Reads the fact from an event's object; null when we do not need it. */
export type Reader = (object: unknown, offers: readonly Offer[]) => BillingFact | null;
