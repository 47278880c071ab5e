import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from "n8n-workflow";

/** Credentials: the origin of the service and an API key. */
export class CreativePacksApi implements ICredentialType {
  name = "creativePacksApi";
  displayName = "Creative Packs API";
  icon: Icon = { light: "file:../icons/creative-packs.svg", dark: "file:../icons/creative-packs.dark.svg" };
  documentationUrl =
    "https://github.com/creative-packs/creative-packs/tree/main/integrations/n8n#credentials";

  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://packs.example",
      description: "Origin of the service, without a path",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description:
        "Requires the scope balance:read for the test, and the scopes of the operations that you use",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.baseUrl}}", url: "/api/v1/balance" },
  };
}
