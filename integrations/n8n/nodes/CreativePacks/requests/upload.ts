import { type IExecuteSingleFunctions, type IHttpRequestOptions, NodeOperationError } from "n8n-workflow";
import { call, dataOf, send } from "./api";
import { onceHeaders } from "./idempotency";
import { readHeader } from "./pixel-size";

/**
 * Creates an upload of the item's binary file, sends its bytes, and turns `request` into the request that completes the
 * upload.
 */
export async function uploadBinary(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const property = String(this.getNodeParameter("binaryPropertyName"));
  const binary = this.helpers.assertBinaryData(property);
  const bytes = await this.helpers.getBinaryDataBuffer(property);
  const header = readHeader(bytes);
  if (header === null) {
    throw new NodeOperationError(
      this.getNode(),
      "The file is no PNG, JPEG, WebP, SVG, OpenType or TrueType",
      { itemIndex: this.getItemIndex() },
    );
  }
  const { mimeType, pixels } = header;
  const slotId = String(this.getNodeParameter("slotId"));
  const fileName = String(this.getNodeParameter("fileName", "")) || binary.fileName || slotId;
  const body = { slotId, fileName, mimeType, byteLength: bytes.length, ...pixels };
  const headers = onceHeaders(this, "upload");
  const url = "/api/v1/assets/uploads";
  const { uploadId, assetId } = await call.call(this, { method: "POST", url, body, headers });
  const sent = await send.call(this, {
    method: "PUT",
    url: `${url}/${uploadId}/object`,
    body: bytes,
    headers: { "Content-Type": mimeType },
  });
  // 409: in a retried execution, the upload may already be complete.
  if (sent.statusCode !== 204 && sent.statusCode !== 409) dataOf(this.getNode(), sent);
  return {
    ...request,
    url: `${url}/${uploadId}/complete`,
    body: { assetId, byteLength: bytes.length },
    headers: { ...request.headers, ...onceHeaders(this) },
  };
}
