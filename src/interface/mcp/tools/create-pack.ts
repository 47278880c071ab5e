import { z } from "zod";
import { accept } from "#api/errors.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { readKey } from "#interface/http/authenticate.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, orderDeps } from "#interface/http/operation-deps.ts";
import { orderPack } from "#operations/order-pack.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { withNearestSizes } from "../nearest-sizes.ts";
import { balanceAfter, packSchema, presentPack, spendableSchema } from "../pack.ts";
import { orderArguments, packRequestOf, SHOWN_ORDER_ARGUMENTS } from "../pack-arguments.ts";
import { defineTool } from "../tool.ts";

export const createPackTool = defineTool({
  name: "create_pack",
  title: "Create a paid pack",
  description:
    `Charges credits: ${CREDITS_PER_SIZE.static} for each static size, ${CREDITS_PER_SIZE.animated} for each animated one. ` +
    "Orders the files of all selectedSizeIds; returns the charge and the remaining balance. Ask the person first. A pack " +
    "that fails is refunded. Then call get_pack with its jobId until it has succeeded.",
  scope: "jobs:write",
  windows: ["jobs"],
  needs: ["storage", "queue"],
  annotations: ADDS_ONCE,
  input: orderArguments,
  shownInput: z.object(SHOWN_ORDER_ARGUMENTS),
  output: z.object({
    pack: packSchema,
    charged: z.object({
      /** Credits charged by this call; 0 for a replay, and for a test key. */
      amount: z.int().min(0),
      unit: z.literal("credit"),
    }),
    isReplay: z.boolean().describe("Whether an identical earlier call ordered the pack."),
    left: spendableSchema,
  }),
  run: async (c, input) => {
    const request = packRequestOf(input);
    const order = { request, idempotencyKey: input.idempotencyKey, readWithKey: null };
    const ordered = withNearestSizes(await orderPack(orderDeps(c), callerOf(c), order), request);
    if (!ordered.ok) return ordered;
    const { value: job, isReplay } = shownEffect(c, ordered.value);
    // The replay may have waited for the first call. If its key was revoked meanwhile, refuse it.
    if (isReplay) await readKey(c, "never");
    return accept({
      output: {
        pack: presentPack(job),
        charged: { amount: isReplay || !job.livemode ? 0 : job.costCredits, unit: "credit" as const },
        isReplay,
        left: await balanceAfter(c),
      },
    });
  },
});
