import { env } from "cloudflare:workers";
import { expect, onTestFinished, vi } from "vitest";
import type { z } from "zod";
import { artifactSchema, downloadLinksSchema } from "#api/schemas/artifact.ts";
import { savedBrand } from "./brands.ts";
import { acceptedJob, type Client, deliver, holdQueue, readJob, workspaceWithLogo } from "./jobs.ts";
import { call } from "./workspace.ts";

export type Manifest = z.infer<typeof artifactSchema>;

/** A finished pack of a brand in two small sizes, drawn by the worker's consumer. */
export interface ReadyPack {
  readonly client: Client;
  readonly artifactId: string;
  readonly manifest: Manifest;
}

export const readManifest = async (secret: string, artifactId: string): Promise<Manifest> => {
  const answer = await call("GET", `/api/v1/artifacts/${artifactId}`, { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return artifactSchema.strict().parse(answer.body.data);
};

export async function readyPack(access?: Parameters<typeof workspaceWithLogo>[0]): Promise<ReadyPack> {
  const held = holdQueue();
  const client = await workspaceWithLogo(access);
  const { brandId } = await savedBrand(client.secret, { name: "Aurora Mobile" });
  const job = await acceptedJob(client, { brandId, selectedSizeIds: ["iab-320x50", "iab-120x60"] });
  await deliver({ jobId: job.jobId, part: 0 });
  held.mockRestore();
  const { artifactId } = await readJob(client.secret, job.jobId);
  if (artifactId === null) throw new Error("the job made no artifact");
  return { client, artifactId, manifest: await readManifest(client.secret, artifactId) };
}

/** The first file of a pack. */
export function firstFile({ manifest }: ReadyPack): Manifest["files"][number] {
  const [file] = manifest.files;
  if (file === undefined) throw new Error("the pack has no file");
  return file;
}

/** Path of a file's download route. */
export const filePath = ({ artifactId }: ReadyPack, fileId: string): string =>
  `/api/v1/artifacts/${artifactId}/files/${fileId}/download`;

/** Download links of a pack, validated against the published schema. */
export async function linksOf({ client, artifactId }: ReadyPack) {
  const answer = await call("GET", `/api/v1/artifacts/${artifactId}/download`, { secret: client.secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return downloadLinksSchema.strict().parse(answer.body.data);
}

/** Path of an absolute link, for `call`. */
export const pathOf = (url: string): string => new URL(url).pathname;

interface StoredObject {
  readonly key: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** A pack's file in storage. */
export async function storedObject(pack: ReadyPack, fileName: string): Promise<StoredObject> {
  const key = `workspaces/${pack.client.workspaceId}/artifacts/${pack.artifactId}/${fileName}`;
  const object = await env.BUCKET.get(key);
  if (object === null) throw new Error("the file is not stored");
  return {
    key,
    bytes: new Uint8Array(await object.arrayBuffer()),
    contentType: object.httpMetadata?.contentType ?? "",
  };
}

/** Kinds of damage, each with a function that damages a stored file. */
export const DAMAGES: Readonly<Record<string, (stored: StoredObject) => Promise<unknown>>> = {
  "one bit turned": ({ key, bytes, contentType }) => {
    const damaged = bytes.slice();
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    return env.BUCKET.put(key, damaged, { httpMetadata: { contentType } });
  },
  "a byte missing": ({ key, bytes, contentType }) =>
    env.BUCKET.put(key, bytes.slice(1), { httpMetadata: { contentType } }),
  "another content type": ({ key, bytes }) =>
    env.BUCKET.put(key, bytes, { httpMetadata: { contentType: "text/html" } }),
  "the object gone": ({ key }) => env.BUCKET.delete(key),
};

/** A pack's stored file for a test to damage; restored when the test ends. */
export async function damageable(pack: ReadyPack, fileName: string): Promise<StoredObject> {
  const stored = await storedObject(pack, fileName);
  onTestFinished(async () => {
    await restore(stored);
  });
  return stored;
}

export const restore = ({ key, bytes, contentType }: StoredObject) =>
  env.BUCKET.put(key, bytes, { httpMetadata: { contentType } });

/** Flips one bit of a stored file right after its `reads`th read. */
export function damageAfterRead(stored: StoredObject, reads: number): void {
  const get: typeof env.BUCKET.get = env.BUCKET.get.bind(env.BUCKET);
  let seen = 0;
  vi.spyOn(env.BUCKET, "get").mockImplementation(async (key: string, options?: R2GetOptions) => {
    if (key === stored.key) seen += 1;
    if (key === stored.key && seen === reads + 1) await DAMAGES["one bit turned"]?.(stored);
    return options === undefined ? get(key) : get(key, options);
  });
}
