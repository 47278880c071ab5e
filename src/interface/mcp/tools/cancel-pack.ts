import { z } from "zod";
import { accept } from "#api/errors.ts";
import { uuidSchema } from "#api/schemas/primitives.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, cancelDeps } from "#interface/http/operation-deps.ts";
import { cancelPack } from "#operations/cancel-pack.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { balanceAfter, packSchema, presentPack, spendableSchema } from "../pack.ts";
import { defineTool } from "../tool.ts";

export const cancelPackTool = defineTool({
  name: "cancel_pack",
  title: "Cancel a pack",
  description:
    "Cancels a queued pack and refunds it. A pack that is being drawn cannot be canceled; one that has ended is returned " +
    "unchanged.",
  scope: "jobs:write",
  windows: ["jobs"],
  // A canceled pack is never drawn.
  annotations: { ...ADDS_ONCE, destructiveHint: true },
  input: strictBody({ jobId: uuidSchema }),
  output: z.object({ pack: packSchema, left: spendableSchema }),
  run: async (c, { jobId }) => {
    const canceled = await cancelPack(cancelDeps(c), callerOf(c), jobId);
    if (!canceled.ok) return canceled;
    const { value: job } = shownEffect(c, canceled.value);
    return accept({ output: { pack: presentPack(job), left: await balanceAfter(c) } });
  },
});
