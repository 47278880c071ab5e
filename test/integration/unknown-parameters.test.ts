import { beforeAll, describe, expect, it } from "vitest";
import { detailsOf, refusalOf } from "../support/refusals.ts";
import { call, createWorkspace } from "../support/workspace.ts";

const ID = "01999999-9999-7999-8999-999999999999";

let secret: string;
beforeAll(async () => {
  ({ secret } = await createWorkspace());
});

describe("API §4.5 an unknown query parameter is 400", () => {
  it.each([
    ["GET /api/v1/jobs?limt=5", "Unknown parameter `limt`; did you mean `limit`?"],
    [
      "GET /api/v1/jobs?limit=5&x=1",
      "Unknown parameter `x`; known: limit, before, status, renderFingerprint, versionOf.",
    ],
    ["GET /api/v1/balance?fresh=1", "Unknown parameter `fresh`; the operation has none."],
    [`DELETE /api/v1/assets/${ID}?force=true`, "Unknown parameter `force`; the operation has none."],
    ["PUT /api/v1/assets/upload-object?uploadID=1", "Unknown parameter `uploadID`; did you mean `uploadId`?"],
    ["GET /api/v1/contracts?limit=5", "Unknown parameter `limit`; the operation has none."],
  ])("and explained: %s", async (asked, message) => {
    const [method = "", path = ""] = asked.split(" ");
    const answer = await call(method, path, { secret, headers: { "Content-Type": "image/png" } });
    expect([...refusalOf(answer), answer.body.error.message]).toEqual([400, "INVALID_REQUEST", message]);
    expect(detailsOf(answer).issues).toMatchObject([{ in: "query" }]);
  });

  it.each(["/health?probe=1", "/api/v1/downloads/none?utm_source=mail", "/api/v1/shared/none?fbclid=1"])(
    "except in %s, where it is ignored, because probes and link trackers add some",
    async (path) => {
      expect((await call("GET", path)).status).not.toBe(400);
    },
  );
});

it.each([
  ["GET /api/v1/assets/imports", "POST"],
  ["DELETE /api/v1/assets/imports", "POST"],
  ["GET /api/v1/assets/upload-object", "PUT"],
  ["GET /api/v1/jobs/quote", "POST"],
  ["PATCH /api/v1/jobs", "GET, HEAD, POST"],
])("API §4.3 %s is 405, because a fixed path segment is never taken as an id", async (asked, allow) => {
  const [method = "", path = ""] = asked.split(" ");
  const answer = await call(method, path, { secret });
  expect([...refusalOf(answer), answer.headers.get("Allow")]).toEqual([405, "METHOD_NOT_ALLOWED", allow]);
});
