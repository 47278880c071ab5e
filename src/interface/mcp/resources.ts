import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { CONTRACTS, findContract, NEWEST_CONTRACTS, sourcesOf } from "#catalogue/contracts.ts";
import type { Contract } from "#catalogue/types.ts";
import { guidanceOf } from "./guidance.ts";

/** Resources: the catalogue, each contract in full, and a guidance page for each. All are public. */

const CATALOGUE_URI = "creative-packs://catalogue";
const CONTRACT_URI = "creative-packs://contracts/{contractId}";
const GUIDANCE_URI = "creative-packs://contracts/{contractId}/guidance";

const JSON_TYPE = "application/json";
const MARKDOWN_TYPE = "text/markdown";

/** Cache lifetime, the same as of the API's catalogue. */
const CACHED = { cacheHint: { ttlMs: 300_000, cacheScope: "public" } } as const;

const shownContract = (contract: Contract) => ({
  ...contract,
  prices: CREDITS_PER_SIZE,
  sources: sourcesOf(contract),
});

const text = (uri: URL, mimeType: string, content: string) => ({
  contents: [{ uri: uri.href, mimeType, text: content }],
});

/** A resource template with a contract's id as its variable. Lists the newest contracts; completes the ids of all. */
const contractTemplate = (template: string, name: (contract: Contract) => string, mimeType: string) =>
  new ResourceTemplate(template, {
    list: () => ({
      resources: NEWEST_CONTRACTS.map((contract) => ({
        uri: template.replace("{contractId}", contract.contractId),
        name: name(contract),
        title: contract.title,
        mimeType,
      })),
    }),
    complete: {
      contractId: (start) =>
        CONTRACTS.map(({ contractId }) => contractId).filter((contractId) => contractId.startsWith(start)),
    },
  });

function requireContract(uri: URL, contractId: string | string[] | undefined): Contract {
  const contract = typeof contractId === "string" ? findContract(contractId) : undefined;
  if (contract === undefined) throw new ResourceNotFoundError(uri.href);
  return contract;
}

/** Adds the resources. `onOrigin` returns the part of a contract that this origin offers. */
export function addResources(server: McpServer, onOrigin: (contract: Contract) => Contract): void {
  const shown = (contract: Contract) => shownContract(onOrigin(contract));
  server.registerResource(
    "catalogue",
    CATALOGUE_URI,
    {
      title: "The catalogue",
      description: "Every contract with its sizes, formats, longest texts and prices, as JSON.",
      mimeType: JSON_TYPE,
      ...CACHED,
    },
    (uri) => text(uri, JSON_TYPE, JSON.stringify({ contracts: CONTRACTS.map(shown) })),
  );
  server.registerResource(
    "contract",
    contractTemplate(CONTRACT_URI, ({ contractId }) => contractId, JSON_TYPE),
    {
      title: "A contract",
      description: "One contract in full, with the source of each figure, as JSON.",
      mimeType: JSON_TYPE,
      ...CACHED,
    },
    (uri, { contractId }) => text(uri, JSON_TYPE, JSON.stringify(shown(requireContract(uri, contractId)))),
  );
  server.registerResource(
    "guidance",
    contractTemplate(GUIDANCE_URI, ({ contractId }) => `${contractId} guidance`, MARKDOWN_TYPE),
    {
      title: "Guidance for a contract",
      description: "How to make a good pack of a contract: images, words, sizes and costs.",
      mimeType: MARKDOWN_TYPE,
      ...CACHED,
    },
    (uri, { contractId }) => text(uri, MARKDOWN_TYPE, guidanceOf(requireContract(uri, contractId))),
  );
}
