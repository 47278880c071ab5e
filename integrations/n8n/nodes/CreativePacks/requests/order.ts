import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHttpRequestOptions,
  jsonParse,
  NodeOperationError,
} from "n8n-workflow";

const object = (value: unknown): IDataObject => Object(value);

/** Omits members that are empty. */
const filled = (members: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && value !== undefined));

/** Parses sizes: a list, or text with commas from an expression. */
const sizesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(String)
    : String(value)
        .split(/[\s,]+/)
        .filter(Boolean);

/** Splits assets by slot into ids (`assetIds`) and URLs to import (`assets`). */
function assetsOf(rows: unknown): IDataObject {
  const assetIds: IDataObject = {};
  const assets: IDataObject = {};
  for (const { slotId, source, assetId, url } of Array.isArray(rows) ? rows.map(object) : []) {
    if (source === "url") assets[String(slotId)] = { url };
    else assetIds[String(slotId)] = assetId;
  }
  return Object.keys(assets).length === 0 ? { assetIds } : { assetIds, assets };
}

/** Adds the body of a job or preview to its request. */
export async function addPackBody(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const { moreJson, brandColors, destinationId, ...options } = object(this.getNodeParameter("options", {}));
  const more =
    moreJson === undefined || moreJson === ""
      ? {}
      : jsonParse<IDataObject>(String(moreJson), { errorMessage: "More Members must be a JSON object" });
  if (Array.isArray(more)) throw new NodeOperationError(this.getNode(), "More Members must be a JSON object");
  const copy = filled(object(this.getNodeParameter("copy", {})));
  const brand = filled(object(object(brandColors).colors));
  const body = {
    contractId: this.getNodeParameter("contractId"),
    selectedSizeIds: sizesOf(this.getNodeParameter("selectedSizeIds")),
    ...assetsOf(this.getNodeParameter("assets.asset", [])),
    ...(Object.keys(copy).length > 0 && { copy }),
    ...(Object.keys(brand).length > 0 && { brand }),
    ...filled(options),
    ...(typeof destinationId === "string" && destinationId !== "" && { notify: { destinationId } }),
    ...more,
  };
  return { ...request, body };
}
