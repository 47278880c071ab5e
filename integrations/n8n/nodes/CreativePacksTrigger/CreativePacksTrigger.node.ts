import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import { call, dataOf, send } from "../CreativePacks/requests/api";
import { isSigned } from "./verify-signature";

const DESTINATIONS = "/api/v1/destinations";

export class CreativePacksTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Creative Packs Trigger",
    name: "creativePacksTrigger",
    icon: { light: "file:../../icons/creative-packs.svg", dark: "file:../../icons/creative-packs.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description:
      "Start a workflow when a pack is ready, has failed, was commented on, or when credits run low",
    defaults: { name: "Creative Packs Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "creativePacksApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["job.succeeded"],
        description: "The API key needs the scope destinations:write",
        options: [
          { name: "Balance Is Low", value: "balance.low" },
          { name: "Pack Canceled", value: "job.canceled" },
          { name: "Pack Failed", value: "job.failed" },
          { name: "Pack Succeeded", value: "job.succeeded" },
          { name: "Share Link Commented", value: "share.commented" },
        ],
      },
      {
        displayName: "Low Balance Below",
        name: "lowBalanceBelow",
        type: "number",
        typeOptions: { minValue: 1 },
        default: 20,
        description: "Number of credits below which the balance counts as low",
        displayOptions: { show: { events: ["balance.low"] } },
      },
    ],
  };

  webhookMethods = {
    default: {
      /** Whether the webhook from an earlier activation still exists and is enabled. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { destinationId } = this.getWorkflowStaticData("node");
        if (destinationId === undefined) return false;
        const sent = await send.call(this, {
          method: "GET",
          url: `${DESTINATIONS}/${destinationId}`,
          json: true,
        });
        if (sent.statusCode === 404) return false;
        return dataOf(this.getNode(), sent).disabledAt === null;
      },

      /**
       * Registers n8n's URL. If the URL is already registered, its secret is rotated, because the old secret cannot be
       * read.
       */
      async create(this: IHookFunctions): Promise<boolean> {
        const events = this.getNodeParameter("events");
        const isLow = Array.isArray(events) && events.includes("balance.low");
        const body = {
          ...{ kind: "webhook", url: this.getNodeWebhookUrl("default"), events },
          ...(isLow && { lowBalanceBelow: this.getNodeParameter("lowBalanceBelow") }),
        };
        const saved = await call.call(this, { method: "POST", url: DESTINATIONS, body });
        const { destinationId }: IDataObject = Object(saved.destination);
        const url = `${DESTINATIONS}/${destinationId}/rotate-secret`;
        const { signingSecret } =
          saved.signingSecret === null ? await call.call(this, { method: "POST", url }) : saved;
        Object.assign(this.getWorkflowStaticData("node"), { destinationId, signingSecret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData("node");
        if (kept.destinationId === undefined) return true;
        const url = `${DESTINATIONS}/${kept.destinationId}`;
        const sent = await send.call(this, { method: "DELETE", url, json: true });
        if (sent.statusCode !== 404) dataOf(this.getNode(), sent);
        delete kept.destinationId;
        delete kept.signingSecret;
        return true;
      },
    },
  };

  /** Verifies the signature over the raw bytes. A message with a wrong signature starts no workflow. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { signingSecret } = this.getWorkflowStaticData("node");
    const { rawBody } = this.getRequestObject();
    const isGenuine =
      typeof signingSecret === "string" &&
      Buffer.isBuffer(rawBody) &&
      isSigned(rawBody, this.getHeaderData(), signingSecret, Date.now());
    if (!isGenuine) {
      this.getResponseObject().status(401).json({ message: "The signature is wrong or too old" });
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}
