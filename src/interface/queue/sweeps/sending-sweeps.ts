import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { sendPendingImports } from "#domains/assets/imports/dispatch-imports.ts";
import { importRows } from "#domains/assets/imports/import-store.ts";
import { deliveryRows } from "#domains/deliveries/delivery-attempt-store.ts";
import { deleteEndedDeliveries } from "#domains/deliveries/delivery-store.ts";
import { deleteUnreferencedDestinations } from "#domains/deliveries/destination-store.ts";
import { sendPendingDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import { resealDestinations } from "#domains/deliveries/manage-destination.ts";
import { resealImageSecrets } from "#domains/images/image-secrets.ts";
import { sendPendingMail } from "#domains/mail/dispatch-mail.ts";
import { deleteEndedMail, expireMail, mailRows } from "#domains/mail/mail-attempt-store.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import type { LeasedRows } from "#platform/db/leased-rows.ts";
import { ROWS_MAX, type Sweeps } from "./sweep.ts";

/** Each destination is decrypted and encrypted; all are read and written together. */
const DESTINATIONS_MAX = 100;

/** Deletes old finished deliveries and mail, also on origins that send none, because triggers write them. */
const endedSweeps = (db: D1Database, nowMs: number): Sweeps => ({
  sweep_ended_deliveries: () =>
    deleteEndedDeliveries(db, { endedBeforeMs: nowMs - DELIVERY_LIMITS.retentionMs, limit: ROWS_MAX }),
  sweep_expired_mail: () => expireMail.run(db, { nowMs, limit: ROWS_MAX }),
  sweep_ended_mail: () =>
    deleteEndedMail.run(db, { endedBeforeMs: nowMs - MAIL_LIMITS.retentionMs, limit: ROWS_MAX }),
  sweep_removed_destinations: () => deleteUnreferencedDestinations.run(db, { limit: ROWS_MAX }),
});

/**
 * Deletes old finished mail and deliveries, sends messages of imports, mail and deliveries that were lost or never
 * sent, and encrypts old secrets with the current key.
 */
export function sendingSweeps(
  db: D1Database,
  { deliveries, imports, mail }: Capabilities,
  nowMs: number,
): Sweeps {
  /** Empty if the origin is not configured for the work. */
  const sent = (
    name: string,
    service: { readonly queue: Queue } | null,
    { releaseLost }: Pick<LeasedRows, "releaseLost">,
    sendPending: (queue: Queue, db: D1Database, nowMs: number) => Promise<number>,
  ): Sweeps =>
    service === null
      ? {}
      : {
          [`sweep_stale_${name}`]: () => releaseLost.run(db, { nowMs, limit: ROWS_MAX }),
          [`sweep_pending_${name}`]: () => sendPending(service.queue, db, nowMs),
        };
  return {
    ...endedSweeps(db, nowMs),
    ...sent("imports", imports, importRows, sendPendingImports),
    ...sent("mail", mail, mailRows, sendPendingMail),
    ...(deliveries && {
      sweep_old_encryption: () => resealDestinations(db, deliveries.encryption, DESTINATIONS_MAX),
      sweep_old_encryption_of_images: () => resealImageSecrets(db, deliveries.encryption, DESTINATIONS_MAX),
    }),
    ...sent("deliveries", deliveries, deliveryRows, sendPendingDeliveries),
  };
}
