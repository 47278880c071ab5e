import { expect, it } from "vitest";
import committed from "../../schema/openapi.json";
import { call } from "../support/workspace.ts";

it("GET /openapi.json is the committed document", async () => {
  const answer = await call("GET", "/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(committed);
  const etag = answer.headers.get("ETag") ?? "";
  const again = await call("GET", "/openapi.json", { headers: { "If-None-Match": etag } });
  expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
});

it("the document names the session cookie as this origin sets it, without a prefix on http", async () => {
  const cookieAt = async (origin: string) => {
    const { components }: typeof committed = (await call("GET", `${origin}/openapi.json`)).body;
    return components.securitySchemes.accountSession.name;
  };
  expect(await cookieAt("https://packs.example")).toBe("__Host-cp_session");
  expect(await cookieAt("http://127.0.0.1:8787")).toBe("cp_session");
});
