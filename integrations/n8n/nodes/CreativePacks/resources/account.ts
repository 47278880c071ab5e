import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { operationField, pageFields, shownFor } from "./fields";

export const accountFields: INodeProperties[] = [
  operationField("account", "getBalance", [
    {
      name: "Get Balance",
      value: "getBalance",
      action: "Get the balance",
      routing: {
        request: { method: "GET", url: "/api/v1/balance" },
        output: { postReceive: [showData] },
      },
    },
    {
      name: "Get Usage",
      value: "getUsage",
      description: "What was charged and given back, newest first",
      action: "Get the usage",
      routing: {
        request: { method: "GET", url: "/api/v1/usage" },
        output: { postReceive: [showData] },
      },
    },
  ]),
  ...pageFields(shownFor("account", "getUsage")),
];
