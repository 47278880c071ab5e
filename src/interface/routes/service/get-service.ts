import { OAUTH_PROVIDERS } from "#api/oauth-providers.ts";
import { serviceSchema } from "#api/schemas/service.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { livePreviewsOf } from "#platform/bindings/env.ts";
import { ENGINE_VERSION } from "#renderer/version.ts";

/** A mail provider on this machine is the simulated one of development, which shows what it was sent. */
const loopbackOrigin = (origin: string): string | null =>
  new URL(origin).hostname === "127.0.0.1" ? origin : null;

export const getServiceRoute = defineRoute({
  operationId: "getService",
  method: "get",
  path: "/api/v1/service",
  summary: "Read what the origin offers",
  description:
    "What a page needs before anybody has signed in. It reads nothing, and may be cached for a minute.",
  access: PUBLIC,
  responses: { 200: success(serviceSchema, "What the origin offers") },
  handler: (c) => {
    const { accounts, deliveries, imports, previewQuota, mail, billing } = c.var.capabilities;
    c.header("Cache-Control", "public, max-age=60");
    return succeed(c, 200, {
      engineVersion: ENGINE_VERSION,
      livePreviews: livePreviewsOf(c.env.bindings) ?? "off",
      accounts: accounts !== null,
      oauthProviders: OAUTH_PROVIDERS.filter((provider) => accounts?.oauth[provider]),
      deliveries: deliveries !== null,
      imports: imports !== null,
      previews: previewQuota !== null,
      mail: mail !== null,
      mailbox: mail?.provider.kind === "http" ? loopbackOrigin(mail.provider.origin) : null,
      billing: billing !== null,
    });
  },
});
