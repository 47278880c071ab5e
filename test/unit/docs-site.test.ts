import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ERRORS } from "#api/errors.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";
import { siteAddress } from "../../scripts/make/site/guides.ts";
import { operationsOf, readApiDescription } from "../../scripts/make/site/openapi.ts";
import { CreativePacks } from "../../sdk/src/client.ts";
import { Pack } from "../../sdk/src/packs/pack.ts";

const addresses = globSync("**/*", { cwd: inRoot(ASSETS_FOLDER) }).map((path) => `/${path}`);
const pages = addresses.filter((address) => address.endsWith(".html"));
const texts = new Map(
  pages.map((address) => [address, readFileSync(inRoot(ASSETS_FOLDER + address), "utf8")]),
);
const methodsOf = (prototype: object): readonly string[] =>
  Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
const textOf = (address: string): string => texts.get(address) ?? "";

it("the reference has every operation and message once, each call with curl and Python", async () => {
  const reference = pages.filter((address) => address.startsWith("/docs/reference/")).map(textOf);
  const parts = new Map(
    reference
      .flatMap((text) => text.split('<section class="operation"').slice(1))
      .map((part) => [/aria-labelledby="(\w+)"/.exec(part)?.[1], part]),
  );
  const operations = operationsOf(await readApiDescription());
  expect([...parts.keys()].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  for (const { operationId, isMessage } of operations) {
    const tabs = [...(parts.get(operationId) ?? "").matchAll(/role="tab"[^>]*>([^<]+)</g)].map(
      ([, tab]) => tab,
    );
    const wanted = isMessage ? [] : ["curl", "Python"];
    expect(
      tabs.filter((tab) => tab !== "TypeScript"),
      operationId,
    ).toEqual(wanted);
  }
});

it("every error code and every size is in its guide", () => {
  const errors = textOf("/docs/guides/errors.html");
  for (const code of Object.keys(ERRORS)) expect(errors, code).toContain(`id="${code.toLowerCase()}"`);
  const sizes = textOf("/docs/guides/sizes.html");
  for (const { sizeId } of SIZES) expect(sizes, sizeId).toContain(`<code>${sizeId}</code>`);
  const withSafeArea = SIZES.filter(({ safeArea }) => safeArea !== null);
  expect(sizes.split('class="safe"').length - 1).toBe(withSafeArea.length);
});

it("the SDK reference has every method of the client and of a pack, with a description", () => {
  const page = readFileSync(inRoot(`${ASSETS_FOLDER}/docs/guides/sdk.md`), "utf8");
  const described = [...page.matchAll(/^\| `((?:client|pack)\.[\w.]+)[^`]*` \| \S/gm)].map(
    ([, call]) => call,
  );
  const client = new CreativePacks({ apiKey: `cpk_live_${"a".repeat(50)}`, baseUrl: "http://127.0.0.1" });
  const resources = Object.entries(client).filter(([name]) => name !== "webhooks");
  const methods = resources.flatMap(([name, resource]) =>
    methodsOf(Object.getPrototypeOf(resource)).map((method) => `client.${name}.${method}`),
  );
  const wanted = [...methods, ...methodsOf(Pack.prototype).map((method) => `pack.${method}`)];
  expect(wanted.length).toBeGreaterThan(60);
  expect(described.sort()).toEqual(wanted.sort());
});

it("the idempotency guide lists exactly the requests that need a key", async () => {
  const guide = readFileSync(inRoot("docs/guides/idempotency.md"), "utf8");
  const listed = [...guide.matchAll(/^\| `(POST \/\S+)`/gm)].map(([, request]) => request);
  const needed = operationsOf(await readApiDescription())
    .filter(({ parameters }) =>
      parameters.some(({ name, required }) => name === "Idempotency-Key" && required === true),
    )
    .map(({ method, path }) => `${method} ${path}`);
  expect(listed.sort()).toEqual(needed.sort());
});

it("a document with a broken link is rejected", () => {
  expect(() => siteAddress("docs/guides/errors.md", "none.md")).toThrow("which is not there");
  expect(siteAddress("docs/guides/errors.md", "../api.md#errors")).toBe("/docs/guides/api#errors");
});
