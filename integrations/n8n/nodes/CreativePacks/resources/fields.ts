import type {
  IDisplayOptions,
  INodeProperties,
  INodePropertyOptions,
  INodePropertyRouting,
} from "n8n-workflow";

export const SLOTS: INodePropertyOptions[] = [
  { name: "Background", value: "background", description: "Scenery that fills the canvas" },
  { name: "Device", value: "device", description: "A complete device, screen included" },
  { name: "Font", value: "font", description: "An OpenType or TrueType font that sets all text" },
  { name: "Logo", value: "logo", description: "The brand's logo, preferably SVG" },
  { name: "Media", value: "media", description: "The main image; choose this if unsure" },
  { name: "Person", value: "person", description: "A cut-out person" },
  { name: "Product", value: "product", description: "A single product, complete in the frame" },
  { name: "Secondary Media", value: "secondaryMedia", description: "A second image next to the main one" },
];

/** Display options that show a field only for the given operations of a resource. */
export const shownFor = (resource: string, ...operations: string[]): IDisplayOptions => ({
  show: { resource: [resource], operation: operations },
});

type Output = NonNullable<INodePropertyRouting["output"]>["postReceive"];
type Sent = NonNullable<INodePropertyRouting["send"]>["preSend"];

/** An operation: its request, the steps before it, and the transformation of its response. */
export const operation = (
  [value, name, action, description = action]: readonly [string, string, string, string?],
  request: NonNullable<INodePropertyRouting["request"]>,
  postReceive: Output,
  preSend: Sent = [],
): INodePropertyOptions => ({
  ...{ name, value, action, description },
  routing: { request, send: { preSend }, output: { postReceive } },
});

/** The field that selects an operation. */
export const operationField = (
  resource: string,
  first: string,
  options: INodePropertyOptions[],
): INodeProperties => ({
  ...{ displayName: "Operation", name: "operation", type: "options", noDataExpression: true, default: first },
  displayOptions: { show: { resource: [resource] } },
  options,
});

export const textField = (
  displayName: string,
  name: string,
  description: string,
  rest: Partial<INodeProperties> = {},
): INodeProperties => ({ ...{ displayName, name, description, type: "string", default: "" }, ...rest });

export const idempotencyField = (displayOptions: IDisplayOptions): INodeProperties =>
  textField(
    "Idempotency Key",
    "idempotencyKey",
    "A request that repeats it makes and charges nothing twice. When empty, each item of an execution has its own, which a retry of the node keeps.",
    { displayOptions },
  );

export const waitField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: "Wait (Seconds)",
  name: "waitSeconds",
  type: "number",
  typeOptions: { minValue: 0, maxValue: 900 },
  default: 300,
  description: "How long to wait for the result; 0 to continue at once",
  displayOptions,
});

/** The Return All and Limit fields of a paginated list. */
export const pageFields = (displayOptions: IDisplayOptions): INodeProperties[] => [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions,
    routing: {
      send: { paginate: "={{ $value }}" },
      operations: {
        pagination: {
          type: "generic",
          properties: {
            continue: "={{ Boolean($response.body?.data?.nextBefore) }}",
            request: { qs: { limit: 100, before: "={{ $response.body?.data?.nextBefore }}" } },
          },
        },
      },
    },
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    routing: { send: { type: "query", property: "limit" } },
  },
];
