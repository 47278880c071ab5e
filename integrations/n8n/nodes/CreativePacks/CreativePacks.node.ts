import {
  type ILoadOptionsFunctions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from "n8n-workflow";
import { call, itemsOf } from "./requests/api";
import { accountFields } from "./resources/account";
import { assetFields } from "./resources/asset";
import { packFields } from "./resources/pack";

async function getContracts(this: ILoadOptionsFunctions) {
  const contracts = itemsOf(await call.call(this, { method: "GET", url: "/api/v1/contracts" }));
  return contracts.map(({ contractId, title }) => ({
    name: `${title} (${contractId})`,
    value: String(contractId),
  }));
}

async function getSizes(this: ILoadOptionsFunctions) {
  const contractId = encodeURIComponent(String(this.getCurrentNodeParameter("contractId")));
  const { sizes } = await call.call(this, { method: "GET", url: `/api/v1/contracts/${contractId}` });
  return itemsOf({ items: sizes }).map(({ sizeId, width, height }) => ({
    name: `${sizeId} (${width} × ${height})`,
    value: String(sizeId),
  }));
}

export class CreativePacks implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Creative Packs",
    name: "creativePacks",
    icon: { light: "file:../../icons/creative-packs.svg", dark: "file:../../icons/creative-packs.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Create ad images in every size from images, a logo and text",
    defaults: { name: "Creative Packs" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "creativePacksApi", required: true }],
    requestDefaults: {
      baseURL: "={{$credentials.baseUrl}}",
      headers: { Accept: "application/json" },
      ignoreHttpStatusErrors: true,
    },
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Account", value: "account" },
          { name: "Asset", value: "asset" },
          { name: "Pack", value: "pack" },
          { name: "Preview", value: "preview" },
        ],
        default: "pack",
      },
      ...assetFields,
      ...packFields,
      ...accountFields,
    ],
  };

  methods = { loadOptions: { getContracts, getSizes } };
}
