import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { downloadFiles, showPreview } from "../requests/files";
import { addIdempotencyKey } from "../requests/idempotency";
import { addPackBody } from "../requests/order";
import { waitForPack } from "../requests/wait";
import { idempotencyField, idField, operationField, pageFields, SLOTS, shownFor, waitField } from "./fields";

const shown = (...operations: string[]) => shownFor("pack", ...operations);
/** Of everything that draws: orders and previews. */
const drawn = { show: { resource: ["pack", "preview"], operation: ["create"] } };

const text = (displayName: string, name: string, description: string): INodeProperties => ({
  ...{ displayName, name, description },
  type: "string",
  default: "",
});
const colour = (displayName: string, name: string): INodeProperties => ({
  ...{ displayName, name },
  type: "color",
  default: "",
});
const choice = (displayName: string, name: string, values: string[]): INodeProperties => ({
  ...{ displayName, name },
  type: "options",
  options: values.map((value) => ({ name: value, value })),
  default: values[0] ?? "",
});

export const packFields: INodeProperties[] = [
  operationField("pack", "create", [
    {
      name: "Cancel",
      value: "cancel",
      description: "Cancel a pack that is still queued; its cost is given back",
      action: "Cancel a pack",
      routing: {
        request: { method: "POST", url: "=/api/v1/jobs/{{$parameter.jobId}}/cancel" },
        output: { postReceive: [showData] },
      },
    },
    {
      name: "Create",
      value: "create",
      description: "Order a pack and wait until it is drawn; this charges credits",
      action: "Create a pack",
      routing: {
        request: { method: "POST", url: "/api/v1/jobs", headers: { Prefer: "wait=30" } },
        send: { preSend: [addPackBody, addIdempotencyKey] },
        output: { postReceive: [waitForPack] },
      },
    },
    {
      name: "Download",
      value: "download",
      description: "Download the files of a finished pack",
      action: "Download a pack",
      routing: {
        request: { method: "GET", url: "=/api/v1/artifacts/{{$parameter.artifactId}}" },
        output: { postReceive: [downloadFiles] },
      },
    },
    {
      name: "Get",
      value: "get",
      action: "Get a pack",
      routing: {
        request: { method: "GET", url: "=/api/v1/jobs/{{$parameter.jobId}}" },
        output: { postReceive: [showData] },
      },
    },
    {
      name: "Get Many",
      value: "getAll",
      action: "Get many packs",
      routing: {
        request: { method: "GET", url: "/api/v1/jobs" },
        output: { postReceive: [showData] },
      },
    },
  ]),
  operationField("preview", "create", [
    {
      name: "Create",
      value: "create",
      description: "Draw the first size with a watermark, without charge",
      action: "Create a preview",
      routing: {
        request: { method: "POST", url: "/api/v1/previews" },
        send: { preSend: [addPackBody, addIdempotencyKey] },
        output: { postReceive: [showPreview] },
      },
    },
  ]),
  idField("Job ID", "jobId", "ID of the pack's job", shown("get", "cancel")),
  idField("Artifact ID", "artifactId", "Of a pack that has succeeded", shown("download")),
  {
    displayName: "As ZIP",
    name: "asZip",
    type: "boolean",
    default: false,
    description: "Whether to download one ZIP in place of an item for each file",
    displayOptions: shown("download"),
  },
  {
    displayName: "Put Output in Field",
    name: "outputPropertyName",
    type: "string",
    default: "data",
    hint: "The name of the output binary field to put the file in",
    displayOptions: { show: { resource: ["pack", "preview"], operation: ["download", "create"] } },
  },
  {
    displayName: "Contract Name or ID",
    name: "contractId",
    type: "options",
    typeOptions: { loadOptionsMethod: "getContracts" },
    default: "",
    required: true,
    description:
      'The set of sizes. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    displayOptions: drawn,
  },
  {
    displayName: "Size Names or IDs",
    name: "selectedSizeIds",
    type: "multiOptions",
    typeOptions: { loadOptionsMethod: "getSizes", loadOptionsDependsOn: ["contractId"] },
    default: [],
    required: true,
    description:
      'A list, or text with commas. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    displayOptions: drawn,
  },
  {
    displayName: "Assets",
    name: "assets",
    type: "fixedCollection",
    typeOptions: { multipleValues: true },
    placeholder: "Add Asset",
    default: {},
    description:
      "At least one picture or logo. An address needs the scope assets:write and is taken by orders alone.",
    displayOptions: drawn,
    options: [
      {
        displayName: "Asset",
        name: "asset",
        values: [
          { displayName: "Slot", name: "slotId", type: "options", options: SLOTS, default: "media" },
          {
            displayName: "Source",
            name: "source",
            type: "options",
            options: [
              { name: "Address", value: "url" },
              { name: "Asset ID", value: "id" },
            ],
            default: "id",
          },
          {
            ...text("Asset ID", "assetId", "Of a ready asset"),
            displayOptions: { show: { source: ["id"] } },
          },
          {
            ...text("Address", "url", "Public https address"),
            displayOptions: { show: { source: ["url"] } },
          },
        ],
      },
    ],
  },
  {
    displayName: "Copy",
    name: "copy",
    type: "collection",
    placeholder: "Add Text",
    default: {},
    displayOptions: drawn,
    options: [
      text("Badge", "badge", "A word or a reduction on a shape"),
      text("Button", "cta", "Words of the button"),
      text("Disclaimer", "disclaimer", "The legal line"),
      text("Headline", "headline", "The main line"),
      text("Language", "language", "BCP 47 tag of all words"),
      text("Old Price", "oldPrice", "Struck through beside the price"),
      text("Price", "price", "With its currency"),
      text("Subheadline", "subheadline", "The line under the headline"),
    ],
  },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: drawn,
    options: [
      {
        displayName: "Brand Colors",
        name: "brandColors",
        type: "fixedCollection",
        default: {},
        options: [
          {
            displayName: "Colors",
            name: "colors",
            values: [
              colour("Accent", "accentColor"),
              colour("Background", "backgroundColor"),
              colour("Button", "buttonColor"),
              colour("Button Text", "buttonTextColor"),
              colour("Primary", "primaryColor"),
              colour("Text", "textColor"),
            ],
          },
        ],
      },
      text("Brand ID", "brandId", "Of a saved brand; other values win over it"),
      choice("Look", "look", ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"]),
      {
        displayName: "More Members (JSON)",
        name: "moreJson",
        type: "json",
        default: "{}",
        description: "Other members of the request, such as placements or overrides",
      },
      choice("Motion", "motion", ["static", "animated"]),
      text("Name (Orders Only)", "name", "Name of the pack for people"),
      text(
        "Notify Destination ID (Orders Only)",
        "destinationId",
        "Webhook that gets a message when the pack ends",
      ),
      choice("Output Format", "outputFormat", ["png", "jpg", "webp", "gif", "apng", "html5", "mp4"]),
    ],
  },
  idempotencyField(drawn),
  waitField(shown("create")),
  ...pageFields(shown("getAll")),
];
