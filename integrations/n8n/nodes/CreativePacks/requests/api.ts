import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type INode,
  type INodeExecutionData,
  NodeApiError,
} from "n8n-workflow";

type Context = IExecuteSingleFunctions | IHookFunctions | ILoadOptionsFunctions;

const isObject = (value: unknown): value is IDataObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns the resource in a response's envelope. Throws an error with its code, message and next action. */
export function dataOf(node: INode, { body, statusCode }: IN8nHttpFullResponse): IDataObject {
  const data = member(body, "data");
  if (statusCode < 400 && isObject(data)) return data;
  const error = member(body, "error");
  const reason = text(member(error, "message")) || `The service answered ${statusCode}`;
  const code = text(member(error, "code"));
  throw new NodeApiError(
    node,
    { statusCode, code, message: reason },
    {
      message: code === "" ? reason : `${code}: ${reason}`,
      description: text(member(member(error, "details"), "nextAction")),
      httpCode: String(statusCode),
    },
  );
}

/** Sends a request with the node's credentials; `url` is a path. */
export async function send(this: Context, options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
  const { baseUrl } = await this.getCredentials("creativePacksApi");
  return this.helpers.httpRequestWithAuthentication.call(this, "creativePacksApi", {
    ...options,
    baseURL: String(baseUrl),
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
}

/** Sends a request and returns its resource. */
export async function call(this: Context, options: IHttpRequestOptions): Promise<IDataObject> {
  return dataOf(this.getNode(), await send.call(this, { json: true, ...options }));
}

/** Items of a list response. */
export const itemsOf = ({ items }: IDataObject): IDataObject[] =>
  Array.isArray(items) ? items.filter(isObject) : [];

/** Outputs the resource of a response, or the items of a list. */
export async function showData(
  this: IExecuteSingleFunctions,
  _items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  const data = dataOf(this.getNode(), response);
  const pairedItem = { item: this.getItemIndex() };
  return ("items" in data ? itemsOf(data) : [data]).map((json) => ({ json, pairedItem }));
}
