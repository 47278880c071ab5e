import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IN8nHttpFullResponse,
  type INodeExecutionData,
  NodeOperationError,
  sleep,
} from "n8n-workflow";
import { call, dataOf } from "./api";

const POLL_MS = 2_000;
const OPEN = ["queued", "running", "processing"];

/** Polls the resource in a response until it is finished or the waiting time is over. Throws if it failed or was canceled. */
const waitFor = (path: string, id: "jobId" | "assetId") =>
  async function (
    this: IExecuteSingleFunctions,
    _items: INodeExecutionData[],
    response: IN8nHttpFullResponse,
  ): Promise<INodeExecutionData[]> {
    let resource = dataOf(this.getNode(), response);
    const seconds = Number(this.getNodeParameter("waitSeconds", 0));
    for (let waitedMs = 0; isOpen(resource) && waitedMs < seconds * 1_000; waitedMs += POLL_MS) {
      await sleep(POLL_MS);
      resource = await call.call(this, { method: "GET", url: `${path}/${resource[id]}` });
    }
    const { status, failure, rejection } = resource;
    if (status === "failed" || status === "rejected" || status === "canceled") {
      const { code = "JOB_CANCELED", message = "The pack was canceled, and its cost was refunded." } = Object(
        failure ?? rejection,
      );
      throw new NodeOperationError(this.getNode(), `${code}: ${message}`, { itemIndex: this.getItemIndex() });
    }
    return [{ json: resource, pairedItem: { item: this.getItemIndex() } }];
  };

const isOpen = ({ status }: IDataObject): boolean => OPEN.includes(String(status));

/** Waits for the job in a response. */
export const waitForPack = waitFor("/api/v1/jobs", "jobId");

/** Waits for the asset in a response. */
export const waitForAsset = waitFor("/api/v1/assets", "assetId");
