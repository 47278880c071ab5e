import { randomUUID } from "node:crypto";
import { SCOPES } from "#api/scopes.ts";
import { CreativePacks } from "../../../sdk/src/index.ts";
import { inRoot } from "../../local/paths.ts";
import { signUpAndIn } from "../../run/demo/person.ts";
import { addKey, grant } from "../workspace/commands.ts";
import type { LocalCopy, Secrets } from "./local-copy.ts";

/** A customer of the drill's service: a person with a workspace, keys and packs. */

/** Sends a request; returns its status and, for a JSON response, its data. */
export async function ask(
  origin: string,
  method: string,
  path: string,
  { secret, body }: { secret?: string; body?: unknown } = {},
) {
  const response = await fetch(new URL(path, origin), {
    method,
    headers: {
      ...(secret !== undefined && { Authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  return { status: response.status, data: isJson ? JSON.parse(text).data : text };
}

export const statusOf = async (...parameters: Parameters<typeof ask>): Promise<number> =>
  (await ask(...parameters)).status;

/** Signs a person up, grants their workspace credits, and creates two keys for it. */
export async function newCustomer(copy: LocalCopy, secrets: Secrets, credits: number) {
  const person = await copy.serve(secrets, ({ origin }) => signUpAndIn(origin));
  const { workspaceId } = person;
  return copy.operate(secrets, async (operator) => {
    await grant(operator, { workspaceId, credits, cause: { reference: randomUUID() } });
    const keyFor = (keyName: string) => addKey(operator, { workspaceId, keyName, scopes: SCOPES });
    return { ...person, key: await keyFor("First"), other: await keyFor("Second") };
  });
}

export type Customer = Awaited<ReturnType<typeof newCustomer>>;

/** Orders a pack of one size and waits for it. The same Idempotency-Key returns the same pack. */
export async function order(origin: string, secret: string, idempotencyKey: string) {
  const client = new CreativePacks({ baseUrl: origin, apiKey: secret });
  const { assetId } = await client.assets.upload(inRoot("samples/logo.svg"), { slot: "logo" });
  const request = {
    contractId: "display.v1",
    selectedSizeIds: ["iab-320x50"],
    assetIds: { logo: assetId },
  } as const;
  const pack = await client.packs.create(request, { idempotencyKey });
  const { jobId, artifactId } = (await pack.wait({ pollMs: 200 })).job;
  return { jobId, artifactId: String(artifactId) };
}

/** Status of a request for the balance: shows whether a key works. */
export const keyStatus = (origin: string, { secret }: { readonly secret: string }): Promise<number> =>
  statusOf(origin, "GET", "/api/v1/balance", { secret });

export const creditsOf = async (origin: string, secret: string): Promise<number> =>
  (await ask(origin, "GET", "/api/v1/balance", { secret })).data.credits.available;
