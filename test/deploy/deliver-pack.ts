import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import type { DeliveryBody } from "#api/schemas/delivery.ts";
import { TRIAL_SCOPES } from "#api/scopes.ts";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { startService, until } from "../../bench/workerd/service.ts";
import type { Internet } from "../../bench/workerd/workerd.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { makePack } from "../../scripts/run/demo/make-pack.ts";
import { openClient } from "../../scripts/run/demo/open-client.ts";
import { smallPack } from "../../scripts/run/demo/packs.ts";
import { signUpAndIn } from "../../scripts/run/demo/person.ts";
import { S3Store } from "../../scripts/run/receivers/s3-store.ts";

const STORE = {
  region: "eu-central-1",
  bucket: "packs",
  accessKeyId: "REHEARSAL",
  secretAccessKey: "rehearsal-secret-access-key",
};

/**
 * Extensions of a pack's files that Cloudflare caches by default:
 * developers.cloudflare.com/cache/concepts/default-cache-behavior.
 */
const CACHED_BY_EXTENSION = /\.(?:png|jpe?g|webp|gif|zip)$/;

/**
 * A store behind Cloudflare. Cloudflare sends a HEAD for a cacheable extension as GET, unless the request has
 * `no-store`, which workerd passes on as `cf.cacheLevel`.
 */
function storeBehindCache() {
  const store = new S3Store(STORE);
  let rewritten = 0;
  const internet: Internet = async (request) => {
    const { pathname } = new URL(request.url);
    const isKept = request.cf?.cacheLevel === "bypass" || !CACHED_BY_EXTENSION.test(pathname);
    const method = request.method === "HEAD" && !isKept ? "GET" : request.method;
    if (method !== request.method) rewritten += 1;
    const bytes = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    const answer = await store.handle(
      new Request(request.url, { method, headers: [...request.headers], body: bytes }),
    );
    const { status } = answer;
    const isEmpty = request.method === "HEAD" || status === 204;
    return new Answer(isEmpty ? null : await answer.arrayBuffer(), { status, headers: [...answer.headers] });
  };
  return { store, internet, rewritten: () => rewritten };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Runs the built worker on databases with this schema and with six connections per invocation. Signs up, uploads,
 * orders a pack and sends it to a store.
 */
export async function deliverPack(schema: readonly string[]) {
  const { store, internet, rewritten } = storeBehindCache();
  const service = await startService({
    script: inRoot("bench/workers/distant-service.ts"),
    schema,
    internet,
    variables: { DELIVERY_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
  });
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-rehearsal-"));
  try {
    const { ask, workspaceId } = await signUpAndIn(service.worker.origin);
    await grantStatement(service.db, workspaceId, 10, Date.now()).run();
    const inWorkspace = `/api/account/workspaces/${workspaceId}`;
    const { secret } = await ask<{ secret: string }>("POST", `${inWorkspace}/api-keys`, {
      name: "R",
      scopes: TRIAL_SCOPES,
    });
    const pack = smallPack("rehearsal", "A rehearsal");
    const { artifact } = await makePack(openClient(service.worker.origin, secret), pack, folder);
    const target = { kind: "s3", endpoint: "https://store.example", prefix: "rehearsal", ...STORE };
    const packId = artifact.artifactId;
    const sent = await ask<DeliveryBody>("POST", `/api/account/artifacts/${packId}/destinations`, target);
    const status = await until(async () => {
      const path = `${inWorkspace}/deliveries/${sent.deliveryId}`;
      const delivery = await ask<DeliveryBody>("GET", path);
      return ["succeeded", "dead"].includes(delivery.status) ? delivery.status : null;
    }, "a delivery");
    const missing = artifact.files.filter(({ fileName, checksum }) => {
      const object = store.objects.get(`rehearsal/${packId}/${fileName}`);
      return object === undefined || sha256(object.bytes) !== checksum.value;
    });
    return { store, packId, status, missing, rewritten: rewritten() };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
