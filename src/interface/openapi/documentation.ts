import type { OpenAPIHono } from "@hono/zod-openapi";
import { cookieNameOf } from "#domains/accounts/sign-in/session-cookie.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { AppEnv } from "../http/context.ts";
import { isNoneMatchHit } from "../http/downloads.ts";
import { publicOrigin } from "../http/origin.ts";
import type { Route } from "../http/route.ts";

const loadDocument = loadOnce(() => import("./document.ts"));

const CACHED = "public, max-age=300";

/**
 * Adds `/openapi.json`. Routes are loaded at its first request. The pages under `/docs` are static files; see
 * scripts/make/assets.ts.
 */
export function addDocumentation(
  app: OpenAPIHono<AppEnv>,
  loadRoutes: () => Promise<readonly Route[]>,
): void {
  // Created on the first request per cookie name, so that other isolates do not pay for it.
  const descriptions = new Map<string, { readonly text: string; readonly etag: string }>();
  const describe = async (sessionCookie: string) => {
    const { createDocument } = await loadDocument();
    const text = JSON.stringify(createDocument(await loadRoutes(), sessionCookie));
    return { text, etag: `"${await sha256Hex(text)}"` };
  };

  app.get("/openapi.json", async (c) => {
    c.set("operation", "getDescription");
    const sessionCookie = cookieNameOf(publicOrigin(c));
    const description = descriptions.get(sessionCookie) ?? (await describe(sessionCookie));
    descriptions.set(sessionCookie, description);
    const { text, etag } = description;
    const headers = { "Cache-Control": CACHED, ETag: etag };
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "Content-Type": "application/json" });
  });
}
