import { expect, it } from "vitest";
import { z } from "zod";
import { postmanCollection } from "../../scripts/make/docs/postman-collection.ts";
import { operationsOf, readApiDescription } from "../../scripts/make/site/openapi.ts";

const api = await readApiDescription();

const request = z.object({
  method: z.string(),
  url: z.object({
    path: z.array(z.string()),
    variable: z.array(z.object({ key: z.string(), value: z.string().min(1) })).default([]),
  }),
  body: z.object({ raw: z.string().optional() }).optional(),
});
const collection = z.object({ item: z.array(z.object({ item: z.array(z.object({ request })) })) });

const requests = collection
  .parse(JSON.parse(JSON.stringify(postmanCollection(api))))
  .item.flatMap((folder) => folder.item.map((item) => item.request));

it("the collection has every operation once", () => {
  const calls = operationsOf(api).filter(({ isMessage }) => !isMessage);
  const wanted = calls.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`);
  expect(requests.map(({ method, url }) => `${method} /${url.path.join("/")}`).sort()).toEqual(wanted.sort());
});

it("each operation has a value for each part of its path, and a body that is JSON", () => {
  for (const { url, body } of requests) {
    const parts = url.path.filter((part) => part.startsWith(":")).map((part) => part.slice(1));
    expect(url.variable.map(({ key }) => key)).toEqual(parts);
    if (body?.raw !== undefined) expect(() => JSON.parse(body.raw ?? "")).not.toThrow();
  }
});
