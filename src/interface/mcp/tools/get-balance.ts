import { z } from "zod";
import { accept } from "#api/errors.ts";
import { balanceSchema } from "#api/schemas/balance.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { presentBalance } from "#domains/ledger/present.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";

export const getBalanceTool = defineTool({
  name: "get_balance",
  title: "Read the balance",
  description:
    "What the workspace can spend: credits, a subscription's quota or unlimited access; and the credits a size costs. Free.",
  scope: "balance:read",
  windows: ["read"],
  annotations: READ_ONLY,
  input: strictBody({}),
  shownInput: z.object({}),
  output: balanceSchema,
  run: async (c) => {
    const { db, workspaceId } = c.get("workspace");
    return accept({ output: presentBalance(await readPaidAccess(db, workspaceId, c.get("nowMs"))) });
  },
});
