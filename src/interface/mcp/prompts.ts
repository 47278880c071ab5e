import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Prompts, which clients show to users as commands. */

const makePackArguments = z.object({
  subject: z.string().max(500).describe("The product or offer, and where its pictures are."),
  contractId: z
    .string()
    .max(64)
    .optional()
    .describe("The contract, such as `display.v1`. The agent chooses if it is missing."),
});

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "make_pack",
    {
      title: "Make a pack of ads",
      description: "From images and a few words to the files of a campaign, with a preview before payment.",
      argsSchema: makePackArguments,
    },
    ({ subject, contractId }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text:
              `Make a pack of ads for this: ${subject}\n` +
              `${contractId === undefined ? "Choose a contract with list_contracts." : `Use the contract ${contractId}.`} ` +
              "Read its guidance, import the pictures, write a short headline and a button, and show me preview_pack. Tell me " +
              "what quote_pack says it costs and what is left, and wait for my yes before you call create_pack. Then give me the links " +
              "of get_pack.",
          },
        },
      ],
    }),
  );
}
