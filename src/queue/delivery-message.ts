import { z } from "zod";

/** Asks for a delivery to be carried out. Names it only; everything else is read when it arrives. */
export const deliveryMessageSchema = z.strictObject({ deliveryId: z.uuid() });
export type DeliveryMessage = z.infer<typeof deliveryMessageSchema>;
