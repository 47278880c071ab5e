import type {
  IDataObject,
  IExecuteSingleFunctions,
  IN8nHttpFullResponse,
  INodeExecutionData,
} from "n8n-workflow";
import { call, dataOf, send } from "./api";

/** An n8n item with a file as its binary data. */
async function fileItem(context: IExecuteSingleFunctions, json: IDataObject, bytes: Buffer) {
  const { fileName, contentType } = json;
  const property = String(context.getNodeParameter("outputPropertyName", "data"));
  const binary = await context.helpers.prepareBinaryData(bytes, String(fileName), String(contentType));
  return { json, binary: { [property]: binary }, pairedItem: { item: context.getItemIndex() } };
}

/** Downloads the files of the artifact in a response: one n8n item per file, or one ZIP. */
export async function downloadFiles(
  this: IExecuteSingleFunctions,
  _items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  const { artifactId, jobId, files } = dataOf(this.getNode(), response);
  const path = `/api/v1/artifacts/${artifactId}`;
  const download = async (json: IDataObject, url: string) => {
    const sent = await send.call(this, { method: "GET", url, encoding: "arraybuffer", json: false });
    if (sent.statusCode !== 200) dataOf(this.getNode(), { ...sent, body: JSON.parse(String(sent.body)) });
    return fileItem(this, { ...json, artifactId, jobId }, Buffer.from(Object(sent.body)));
  };
  if (this.getNodeParameter("asZip", false) === true) {
    const { url, fileName, contentType, byteLength } = await call.call(this, {
      method: "GET",
      url: `${path}/download`,
    });
    return [await download({ fileName, contentType, byteLength }, new URL(String(url)).pathname)];
  }
  const items: INodeExecutionData[] = [];
  for (const file of Array.isArray(files) ? files.map(Object) : []) {
    const { fileId, sizeId, role, fileName, width, height, contentType, byteLength } = file;
    const shown = { fileId, sizeId, role, fileName, width, height, contentType, byteLength };
    items.push(await download(shown, `${path}/files/${fileId}/download`));
  }
  return items;
}

/** Outputs the image of a preview as binary data, and the rest of the response as JSON. */
export async function showPreview(
  this: IExecuteSingleFunctions,
  _items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  const { image, previewId, ...preview } = dataOf(this.getNode(), response);
  const { base64, ...facts } = Object(image);
  const json = { previewId, ...preview, image: facts };
  const named = {
    ...json,
    fileName: `${String(previewId).slice(0, 16)}.png`,
    contentType: facts.contentType,
  };
  const { binary, pairedItem } = await fileItem(this, named, Buffer.from(String(base64), "base64"));
  return [{ json, binary, pairedItem }];
}
