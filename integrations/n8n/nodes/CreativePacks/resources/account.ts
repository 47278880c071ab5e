import type { INodeProperties } from "n8n-workflow";
import { showData } from "../requests/api";
import { operation, operationField, pageFields, shownFor } from "./fields";

export const accountFields: INodeProperties[] = [
  operationField("account", "getBalance", [
    operation(["getBalance", "Get Balance", "Get the balance"], { url: "/api/v1/balance" }, [showData]),
    operation(["getUsage", "Get Usage", "Get what was charged and refunded"], { url: "/api/v1/usage" }, [
      showData,
    ]),
  ]),
  ...pageFields(shownFor("account", "getUsage")),
];
