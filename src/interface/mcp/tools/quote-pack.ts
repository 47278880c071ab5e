import { z } from "zod";
import { accept } from "#api/errors.ts";
import { contractSchema } from "#api/schemas/catalogue.ts";
import { jobQuoteSchema, packRequestSchema } from "#api/schemas/job.ts";
import { findContract } from "#catalogue/contracts.ts";
import { quoteJob } from "#domains/jobs/quote-job.ts";
import { choosePayment } from "#domains/ledger/payment.ts";
import { presentBalance } from "#domains/ledger/present.ts";
import { packChecks } from "#interface/http/operation-deps.ts";
import { pick } from "#platform/pick-members.ts";
import { READ_ONLY } from "../annotations.ts";
import { withNearestSizes } from "../nearest-sizes.ts";
import { readAccess, spendableSchema } from "../pack.ts";
import { SHOWN_COST_ARGUMENTS } from "../pack-arguments.ts";
import { defineTool } from "../tool.ts";

const SHOWN = ["sizeId", "width", "height", "byteCap"] as const;
const shownSize = z.object(pick(contractSchema.shape.sizes.element.shape, ...SHOWN));

export const quotePackTool = defineTool({
  name: "quote_pack",
  title: "Quote a pack",
  description:
    "A pack's cost, whether the balance covers it, and the pixels of each size; charges nothing. Also takes the other " +
    "arguments of create_pack, with the same refusals. Call it before you ask the person. Free.",
  scope: "jobs:write",
  windows: ["write"],
  needs: ["storage"],
  annotations: READ_ONLY,
  input: packRequestSchema,
  shownInput: z.object(SHOWN_COST_ARGUMENTS),
  output: z.object({
    expectedCost: jobQuoteSchema.shape.expectedCost,
    isCovered: z.boolean().nullable().describe("Null without the scope balance:read."),
    left: spendableSchema,
    sizes: z.array(shownSize),
  }),
  run: async (c, request) => {
    const { db } = c.get("workspace");
    const { workspaceId, livemode } = c.get("principal");
    const quoted = withNearestSizes(
      await quoteJob({ db, ...packChecks(c) }, { workspaceId, livemode }, request),
      request,
    );
    if (!quoted.ok) return quoted;
    const { costCredits } = quoted.value;
    const access = await readAccess(c);
    const selected = new Set(request.selectedSizeIds);
    const sizes = findContract(request.contractId)?.sizes ?? [];
    return accept({
      output: {
        expectedCost: { amount: costCredits, unit: "credit" as const },
        // A test key pays nothing.
        isCovered: access === null ? null : !livemode || choosePayment(access, costCredits) !== null,
        left: access === null ? null : presentBalance(access),
        sizes: sizes.filter(({ sizeId }) => selected.has(sizeId)).map((size) => pick(size, ...SHOWN)),
      },
    });
  },
});
