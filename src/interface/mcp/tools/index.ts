import type { Tool } from "../tool.ts";
import { cancelPackTool } from "./cancel-pack.ts";
import { createPackTool } from "./create-pack.ts";
import { getBalanceTool } from "./get-balance.ts";
import { getPackTool } from "./get-pack.ts";
import { importAssetTool } from "./import-asset.ts";
import { listAssetsTool, listBrandsTool } from "./list-assets.ts";
import { listContractsTool, listSizesTool } from "./list-sizes.ts";
import { previewPackTool } from "./preview-pack.ts";
import { quotePackTool } from "./quote-pack.ts";
import { sharePackTool } from "./share-pack.ts";

/** Every tool, in the order of making a pack. */
export const TOOLS: readonly Tool[] = [
  ...[listContractsTool, listSizesTool, getBalanceTool],
  ...[importAssetTool, listAssetsTool, listBrandsTool],
  ...[previewPackTool, quotePackTool, createPackTool, getPackTool, sharePackTool, cancelPackTool],
];

export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name);
