import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { addIdempotencyKey } from "../requests/idempotency";
import { uploadBinary } from "../requests/upload";
import { waitForAsset } from "../requests/wait";
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

const shown = (...operations: string[]) => shownFor("asset", ...operations);
const ASSETS = "/api/v1/assets";

export const assetFields: INodeProperties[] = [
  operationField("asset", "upload", [
    operation(["get", "Get", "Get an asset"], { url: `=${ASSETS}/{{$parameter.assetId}}` }, [showData]),
    operation(["getAll", "Get Many", "Get many assets"], { url: ASSETS }, [showData]),
    operation(
      ["import", "Import", "Import an asset from an address", "Have a file fetched from its public address"],
      { method: "POST", url: `${ASSETS}/imports` },
      [waitForAsset],
      [addIdempotencyKey],
    ),
    operation(
      ["upload", "Upload", "Upload an asset", "Upload a binary file of the item"],
      { method: "POST", url: `${ASSETS}/uploads` },
      [showData],
      [uploadBinary],
    ),
  ]),
  textField("Asset ID", "assetId", "ID of the asset", { required: true, displayOptions: shown("get") }),
  {
    ...{ displayName: "Slot", name: "slotId", type: "options", options: SLOTS, default: "media" },
    description: "What the file will be used as",
    displayOptions: shown("upload", "import"),
    routing: { send: { type: "body", property: "slotId" } },
  },
  textField("Address", "url", "Public https address of the file", {
    ...{ required: true, placeholder: "https://shop.example/bottle.jpg", displayOptions: shown("import") },
    routing: { send: { type: "body", property: "url" } },
  }),
  textField(
    "Input Binary Field",
    "binaryPropertyName",
    "The name of the input binary field that has the file",
    {
      ...{ default: "data", required: true, displayOptions: shown("upload") },
    },
  ),
  textField("File Name", "fileName", "The name of the asset; that of the binary file when empty", {
    displayOptions: shown("upload"),
  }),
  idempotencyField(shown("upload", "import")),
  waitField(shown("import")),
  ...pageFields(shown("getAll")),
];
