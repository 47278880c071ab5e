import { z } from "zod";
import { accept, refuse } from "#api/errors.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { contractListSchema, contractSchema } from "#api/schemas/catalogue.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { CONTRACTS, findContract, listContracts, offered } from "#catalogue/contracts.ts";
import { SCALES, takesScale } from "#catalogue/scales.ts";
import type { Size } from "#catalogue/types.ts";
import { offersMp4 } from "#interface/http/operation-deps.ts";
import { pick } from "#platform/pick-members.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";

const SHOWN = ["sizeId", "group", "width", "height", "byteCap", "safeArea"] as const;

const { contractId, title, staticFormats, animatedFormats, copyFields, prices, sizes } = contractSchema.shape;
const { acceptedFormats } = sizes.element.shape;

const shownSize = z.object({
  ...pick(sizes.element.shape, ...SHOWN),
  acceptedFormats,
  scales: z.array(z.number()),
});

const presentSize = (size: Size): z.infer<typeof shownSize> => ({
  ...pick(size, ...SHOWN),
  acceptedFormats: [...size.acceptedFormats],
  scales: SCALES.filter((scale) => takesScale(size, scale)),
});

const input = strictBody({
  contractId: z.string().min(1).max(64).describe("From list_contracts."),
  group: z.string().min(1).max(64).optional().describe("Only this group: iab."),
});

export const listSizesTool = defineTool({
  name: "list_sizes",
  title: "List a contract's sizes",
  description:
    "A contract's sizes with pixels, byte cap and safe area; its formats, longest texts and prices. Packs accept only " +
    "its sizeIds. Free.",
  scope: null,
  windows: ["read"],
  annotations: READ_ONLY,
  input,
  output: z.object({
    contractId,
    title,
    staticFormats,
    animatedFormats,
    copyFields,
    prices,
    sizes: z.array(shownSize),
  }),
  run: async (c, asked) => {
    const released = findContract(asked.contractId);
    if (released === undefined) {
      const known = CONTRACTS.map((one) => `\`${one.contractId}\``).join(", ");
      return refuse(
        "CONTRACT_NOT_FOUND",
        `There is no contract \`${asked.contractId}\`; there are ${known}.`,
      );
    }
    const contract = offered(released, offersMp4(c));
    const shown = contract.sizes.filter((size) => asked.group === undefined || size.group === asked.group);
    if (shown.length === 0) {
      const groups = [...new Set(contract.sizes.map((size) => `\`${size.group}\``))].join(", ");
      return refuse("INVALID_REQUEST", `group: must be one of ${groups}`);
    }
    return accept({
      output: {
        ...pick(contract, "contractId", "title"),
        staticFormats: [...contract.staticFormats],
        animatedFormats: [...contract.animatedFormats],
        copyFields: [...contract.copyFields],
        prices: { ...CREDITS_PER_SIZE },
        sizes: shown.map(presentSize),
      },
    });
  },
});

export const listContractsTool = defineTool({
  name: "list_contracts",
  title: "List contracts",
  description:
    "Versioned sets of ad sizes: display banners, social feeds, stories, all of them. Call it first, and choose the " +
    "contractId by where the ads will run. Free.",
  scope: null,
  windows: ["read"],
  annotations: READ_ONLY,
  input: strictBody({}),
  shownInput: z.object({}),
  output: contractListSchema,
  run: async () => accept({ output: { items: listContracts() } }),
});
