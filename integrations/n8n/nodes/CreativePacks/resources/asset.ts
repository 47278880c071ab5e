import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { addIdempotencyKey } from "../requests/idempotency";
import { uploadBinary } from "../requests/upload";
import { waitForAsset } from "../requests/wait";
import { idempotencyField, idField, operationField, pageFields, SLOTS, shownFor, waitField } from "./fields";

const shown = (...operations: string[]) => shownFor("asset", ...operations);

export const assetFields: INodeProperties[] = [
  operationField("asset", "upload", [
    {
      name: "Get",
      value: "get",
      action: "Get an asset",
      routing: {
        request: { method: "GET", url: "=/api/v1/assets/{{$parameter.assetId}}" },
        output: { postReceive: [showData] },
      },
    },
    {
      name: "Get Many",
      value: "getAll",
      action: "Get many assets",
      routing: {
        request: { method: "GET", url: "/api/v1/assets" },
        output: { postReceive: [showData] },
      },
    },
    {
      name: "Import",
      value: "import",
      description: "Have a file fetched from its public address",
      action: "Import an asset from an address",
      routing: {
        request: { method: "POST", url: "/api/v1/assets/imports" },
        send: { preSend: [addIdempotencyKey] },
        output: { postReceive: [waitForAsset] },
      },
    },
    {
      name: "Upload",
      value: "upload",
      description: "Upload a binary file of the item",
      action: "Upload an asset",
      routing: {
        request: { method: "POST", url: "/api/v1/assets/uploads" },
        send: { preSend: [uploadBinary] },
        output: { postReceive: [showData] },
      },
    },
  ]),
  idField("Asset ID", "assetId", "ID of the asset", shown("get")),
  {
    displayName: "Slot",
    name: "slotId",
    type: "options",
    options: SLOTS,
    default: "media",
    description: "What the file will be used as",
    displayOptions: shown("upload", "import"),
    routing: { send: { type: "body", property: "slotId" } },
  },
  {
    displayName: "Address",
    name: "url",
    type: "string",
    default: "",
    required: true,
    placeholder: "https://shop.example/bottle.jpg",
    description: "Public https address of the file",
    displayOptions: shown("import"),
    routing: { send: { type: "body", property: "url" } },
  },
  {
    displayName: "Input Binary Field",
    name: "binaryPropertyName",
    type: "string",
    default: "data",
    required: true,
    hint: "The name of the input binary field that has the file",
    displayOptions: shown("upload"),
  },
  {
    displayName: "File Name",
    name: "fileName",
    type: "string",
    default: "",
    description: "The name of the asset; that of the binary file when empty",
    displayOptions: shown("upload"),
  },
  idempotencyField(shown("upload", "import")),
  waitField(shown("import")),
  ...pageFields(shown("getAll")),
];
