import { z } from "zod";
import { markImportsDispatched, pendingImports } from "#domains/assets/imports/import-dispatch-store.ts";
import { dispatchOf, sharedMembers } from "./messages.ts";

/** Asks for an import to be attempted. Names its asset only; everything else is read when it arrives. */
export const importMessageSchema = z.strictObject({ ...sharedMembers, assetId: z.uuid() });

/** An import whose workspace has as many under way as it may is sent when one of those ends. */
export const { sendPending: sendPendingImports, enqueue: enqueueImports } = dispatchOf({
  pending: (db, nowMs, limit) => pendingImports.all(db, { nowMs, limit }),
  markDispatched: (db, imports, nowMs) => {
    const assetIds = JSON.stringify(imports.map(({ assetId }) => assetId));
    return markImportsDispatched.run(db, { assetIds, nowMs });
  },
  unsent: "import_messages_unsent",
});
