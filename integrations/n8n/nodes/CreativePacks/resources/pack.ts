import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { downloadFiles, showPreview } from "../requests/files";
import { addIdempotencyKey } from "../requests/idempotency";
import { addPackBody } from "../requests/order";
import { waitForPack } from "../requests/wait";
import {
  idempotencyField,
  operation,
  operationField,
  pageFields,
  SLOTS,
  shownFor,
  textField,
  waitField,
} from "./fields";

const shown = (...operations: string[]) => shownFor("pack", ...operations);
/** Fields of jobs and previews. */
const drawn = { show: { resource: ["pack", "preview"], operation: ["create"] } };

const colour = (displayName: string, name: string): INodeProperties => ({
  displayName,
  name,
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
    operation(
      ["cancel", "Cancel", "Cancel a pack", "Cancel a pack that is still queued; its cost is refunded"],
      { method: "POST", url: "=/api/v1/jobs/{{$parameter.jobId}}/cancel" },
      [showData],
    ),
    operation(
      ["create", "Create", "Create a pack", "Order a pack and wait until it is drawn; this charges credits"],
      { method: "POST", url: "/api/v1/jobs", headers: { Prefer: "wait=30" } },
      [waitForPack],
      [addPackBody, addIdempotencyKey],
    ),
    operation(
      ["download", "Download", "Download a pack", "Download the files of a finished pack"],
      { url: "=/api/v1/artifacts/{{$parameter.artifactId}}" },
      [downloadFiles],
    ),
    operation(["get", "Get", "Get a pack"], { url: "=/api/v1/jobs/{{$parameter.jobId}}" }, [showData]),
    operation(["getAll", "Get Many", "Get many packs"], { url: "/api/v1/jobs" }, [showData]),
  ]),
  operationField("preview", "create", [
    operation(
      ["create", "Create", "Create a preview", "Draw the first size with a watermark, without charge"],
      { method: "POST", url: "/api/v1/previews" },
      [showPreview],
      [addPackBody, addIdempotencyKey],
    ),
  ]),
  textField("Job ID", "jobId", "ID of the pack's job", {
    required: true,
    displayOptions: shown("get", "cancel"),
  }),
  textField("Artifact ID", "artifactId", "Of a pack that has succeeded", {
    required: true,
    displayOptions: shown("download"),
  }),
  {
    displayName: "As ZIP",
    name: "asZip",
    type: "boolean",
    default: false,
    description: "Whether to download one ZIP instead of one item per file",
    displayOptions: shown("download"),
  },
  textField(
    "Put Output in Field",
    "outputPropertyName",
    "The name of the output binary field to put the file in",
    {
      default: "data",
      displayOptions: { show: { resource: ["pack", "preview"], operation: ["download", "create"] } },
    },
  ),
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
      "At least one image or logo. A URL requires the scope assets:write and works only for packs, not for previews.",
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
          textField("Asset ID", "assetId", "Of a ready asset", {
            displayOptions: { show: { source: ["id"] } },
          }),
          textField("Address", "url", "Public https address", {
            displayOptions: { show: { source: ["url"] } },
          }),
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
      textField("Badge", "badge", "A word or a reduction on a shape"),
      textField("Button", "cta", "Words of the button"),
      textField("Disclaimer", "disclaimer", "The legal line"),
      textField("Headline", "headline", "The main line"),
      textField("Language", "language", "BCP 47 tag of all words"),
      textField("Old Price", "oldPrice", "Struck through beside the price"),
      textField("Price", "price", "With its currency"),
      textField("Subheadline", "subheadline", "The line under the headline"),
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
      textField("Brand ID", "brandId", "Of a saved brand; other values win over it"),
      choice("Look", "look", ["classic", "bold", "editorial", "minimal", "retail", "premium", "playful"]),
      {
        displayName: "More Members (JSON)",
        name: "moreJson",
        type: "json",
        default: "{}",
        description: "Other members of the request, such as placements or overrides",
      },
      choice("Motion", "motion", ["static", "animated"]),
      textField("Name (Orders Only)", "name", "Name of the pack for people"),
      textField(
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
