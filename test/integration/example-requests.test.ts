import { expect, it, vi } from "vitest";
import { z } from "zod";
import { clock } from "#platform/clock.ts";
import document from "../../schema/openapi.json";
import { callAs, createAccount } from "../support/accounts.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** The OpenAPI document's example requests are valid, and stay valid for at least two years. */

const TWO_YEARS_MS = 731 * 86_400_000;

const operations = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      parameters: z.array(z.object({ name: z.string(), in: z.string(), example: z.unknown() })).default([]),
      requestBody: z
        .object({
          content: z.record(z.string(), z.object({ example: z.record(z.string(), z.json()).optional() })),
        })
        .optional(),
      security: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
);

it("each example request of the OpenAPI document passes validation two years from now", async () => {
  const nowMs = Date.now() + TWO_YEARS_MS;
  vi.spyOn(clock, "now").mockReturnValue(nowMs);
  const { secret } = await createWorkspace({ credits: 10 });
  const account = await createAccount();
  const refused: string[] = [];
  let sent = 0;
  for (const [path, methods] of Object.entries(operations.parse(document.paths))) {
    for (const [method, { parameters, requestBody, security }] of Object.entries(methods)) {
      const body = requestBody?.content["application/json"]?.example;
      const query = new URLSearchParams(
        parameters.flatMap(({ name, in: place, example }) =>
          place === "query" ? [[name, String(example)]] : [],
        ),
      );
      if (body === undefined && query.size === 0) continue;
      const ids = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
      const asked = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        name === "workspaceId" ? account.workspaceId : (ids[name] ?? ""),
      );
      const request = { body, headers: { "Idempotency-Key": crypto.randomUUID() } };
      const isOfKey = security.some((scheme) => "bearerKey" in scheme);
      const { status, body: answer } = isOfKey
        ? await call(method.toUpperCase(), `${asked}?${query}`, { ...request, secret })
        : await callAs(account, method.toUpperCase(), `${asked}?${query}`, request);
      sent += 1;
      // The example's assets do not exist. A preview then returns 400 with a reason, a job 422.
      const isMalformed = [400, 500].includes(status) && answer.error.details.reason === undefined;
      if (isMalformed) refused.push(`${method} ${path} ${status} ${answer.error.message}`);
    }
  }
  expect(sent).toBeGreaterThan(40);
  expect(refused).toEqual([]);
});
