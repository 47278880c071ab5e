import { z } from "zod";
import { accept } from "#api/errors.ts";
import { contractListSchema } from "#api/schemas/catalogue.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { listContracts } from "#catalogue/contracts.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";

export const listContractsTool = defineTool({
  name: "list_contracts",
  title: "List contracts",
  description:
    "The contracts: versioned sets of ad sizes (display banners, social feeds, stories, all of them). Call it first, to " +
    "choose the contractId that fits where the ads will run. Free.",
  scope: null,
  windows: ["read"],
  needs: [],
  annotations: READ_ONLY,
  input: strictBody({}),
  shownInput: z.object({}),
  output: contractListSchema,
  run: async () => accept({ output: { items: listContracts() } }),
});
