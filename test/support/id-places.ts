import { BRAND_ASSET_NAMES, SLOT_IDS } from "#api/slots.ts";
import { firstFile, type ReadyPack, readyPack } from "./artifacts.ts";
import { type AssetFile, createIntent } from "./assets.ts";
import { savedBrand } from "./brands.ts";
import { closeDeliveries, HOOK_URL, holdDeliveryQueue } from "./deliveries.ts";
import { png } from "./files.ts";
import { newImageSecret } from "./images.ts";
import { acceptedJob, holdQueue, packOf } from "./jobs.ts";
import { MAIL } from "./mail.ts";
import { shareOf } from "./shares.ts";
import { type Call, call } from "./workspace.ts";

/** Every place of an id in a request, and a workspace whose ids an attacker tries there. */

export const PICTURE = png(300, 300);
export const FILE: AssetFile = {
  slotId: "logo",
  fileName: "a.png",
  mimeType: "image/png",
  bytes: PICTURE,
  width: 300,
  height: 300,
};

/** A workspace with one resource of every kind that has an id. */
export interface Victim {
  readonly pack: ReadyPack;
  readonly fileId: string;
  readonly shareId: string;
  readonly brandId: string;
  readonly destinationId: string;
  readonly deliveryId: string;
  readonly imageSecretId: string;
  readonly uploadId: string;
  readonly pendingAssetId: string;
  readonly queuedJobId: string;
  readonly fingerprint: string;
}

export async function newVictim(): Promise<Victim> {
  const pack = await readyPack();
  const intent = await createIntent(pack.client.secret, FILE);
  const held = holdQueue();
  const job = await acceptedJob(pack.client);
  held.mockRestore();
  const { secret } = pack.client;
  const body = { kind: "webhook", url: "https://hooks.customer.example/victim" };
  const { destination } = (await call("POST", "/api/v1/destinations", { secret, body })).body.data;
  const { destinationId } = destination;
  const heldDeliveries = holdDeliveryQueue();
  const tested = await call("POST", `/api/v1/destinations/${destinationId}/test`, { secret });
  heldDeliveries.mockRestore();
  // Close the delivery, whose state would change while foreign ids are tried.
  await closeDeliveries();
  return {
    pack,
    destinationId,
    deliveryId: tested.body.data.deliveryId,
    fileId: firstFile(pack).fileId,
    shareId: (await shareOf(pack)).share.shareId,
    brandId: (await savedBrand(pack.client.secret, { name: "Velo" })).brandId,
    imageSecretId: (await newImageSecret(pack.client.secret)).imageSecretId,
    uploadId: intent.uploadId,
    pendingAssetId: intent.assetId,
    queuedJobId: job.jobId,
    fingerprint: job.renderFingerprint,
  };
}

export interface Place {
  readonly method: string;
  readonly where: string;
  /** The request with the tested id. Its other ids are those of the attacker's own pack. */
  readonly request: (id: string, ground: Ground) => Call & { readonly path: string };
  /** The victim's id that is tested in this place. */
  readonly idOf: (victim: Victim) => string;
}

export interface Ground {
  readonly victim: Victim;
  readonly own: ReadyPack;
}

export const newKey = () => ({ "Idempotency-Key": crypto.randomUUID() });

type IdOf = Place["idOf"];
const logoOf: IdOf = ({ pack }) => pack.client.logoId;
const keyOf: IdOf = ({ pack }) => pack.client.apiKeyId;
const artifactOf: IdOf = ({ pack }) => pack.artifactId;
const fileOf: IdOf = ({ fileId }) => fileId;
const shareOfVictim: IdOf = ({ shareId }) => shareId;
const brandOf: IdOf = ({ brandId }) => brandId;
const imageSecretOf: IdOf = ({ imageSecretId }) => imageSecretId;
const uploadOf: IdOf = ({ uploadId }) => uploadId;
const destinationOf: IdOf = ({ destinationId }) => destinationId;
const deliveryOf: IdOf = ({ deliveryId }) => deliveryId;
const jobOf: IdOf = ({ queuedJobId }) => queuedJobId;

const PNG = { "Content-Type": "image/png" };
const BYTES: Call = { body: PICTURE, headers: PNG };

/** A member's requests about a share link: method, path relative to the link's, and the rest of the call. */
const SHARE_REQUESTS: readonly (readonly [method: string, tail: string, sent: Call])[] = [
  ["GET", "/comments", {}],
  ["DELETE", "", {}],
  ["PATCH", "", { body: { isClean: true } }],
  ["POST", "/comments", { body: { text: "Done." } }],
  ["PATCH", "/comments/0199f0ca-2b3c-7d4e-8f50-617283940a1b", { body: { isResolved: true } }],
  ["POST", "/mail", { body: { email: "grace@packs.example", language: "en" }, settings: MAIL }],
];

/**
 * Paths in which `ID` stands for the tested id. `OWN` is the attacker's own artifact; `FILE` and `SHARE` are the
 * victim's.
 */
const PATHS: readonly (readonly [method: string, path: string, idOf: IdOf, sent?: Call])[] = [
  ["GET", "/api/v1/assets/ID", logoOf],
  ["GET", "/api/v1/assets/ID/content", logoOf],
  ["DELETE", "/api/v1/assets/ID", logoOf],
  ["PUT", "/api/v1/assets/uploads/ID/object", uploadOf, BYTES],
  ["PUT", "/api/v1/assets/upload-object?uploadId=ID", uploadOf, BYTES],
  ["GET", "/api/v1/brands/ID", brandOf],
  ["PATCH", "/api/v1/brands/ID", brandOf, { body: { name: "Mine" } }],
  ["DELETE", "/api/v1/brands/ID", brandOf],
  ["DELETE", "/api/v1/image-secrets/ID", imageSecretOf],
  ["GET", "/api/v1/jobs/ID", jobOf],
  ["PATCH", "/api/v1/jobs/ID", jobOf, { body: { name: "Mine" } }],
  ["POST", "/api/v1/jobs/ID/cancel", jobOf],
  ["GET", "/api/v1/artifacts/ID", artifactOf],
  ["GET", "/api/v1/artifacts/ID/download", artifactOf],
  ["GET", "/api/v1/artifacts/ID/files/FILE/download", artifactOf],
  ["GET", "/api/v1/artifacts/OWN/files/ID/download", fileOf],
  ["GET", "/api/v1/artifacts/ID/shares", artifactOf],
  ["POST", "/api/v1/artifacts/ID/shares", artifactOf, { body: {} }],
  ["DELETE", "/api/v1/api-keys/ID", keyOf],
  ["POST", "/api/account/artifacts/ID/destinations", artifactOf, { body: {} }],
  ["POST", "/api/v1/artifacts/ID/destinations", artifactOf, { body: { kind: "webhook", url: HOOK_URL } }],
  ["GET", "/api/v1/destinations/ID", destinationOf],
  ["PATCH", "/api/v1/destinations/ID", destinationOf, { body: { events: [] } }],
  ["DELETE", "/api/v1/destinations/ID", destinationOf],
  ["POST", "/api/v1/destinations/ID/enable", destinationOf],
  ["POST", "/api/v1/destinations/ID/test", destinationOf],
  ["POST", "/api/v1/destinations/ID/rotate-secret", destinationOf],
  ["GET", "/api/v1/deliveries/ID", deliveryOf],
  ["POST", "/api/v1/deliveries/ID/retry", deliveryOf],
  ...SHARE_REQUESTS.flatMap(([method, tail, sent]) => [
    [method, `/api/v1/artifacts/OWN/shares/ID${tail}`, shareOfVictim, sent] as const,
    [method, `/api/v1/artifacts/ID/shares/SHARE${tail}`, artifactOf, sent] as const,
  ]),
];

const place = (method: string, where: string, idOf: IdOf, request: Place["request"]): Place => ({
  method,
  where,
  idOf,
  request,
});

export const PLACES: readonly Place[] = [
  place("POST", "the destination of a pack that is sent", destinationOf, (id, { own }) => ({
    path: `/api/v1/artifacts/${own.artifactId}/destinations`,
    body: { destinationId: id },
  })),
  ...PATHS.map(([method, path, idOf, sent]) =>
    place(method, path, idOf, (id, { victim, own }) => ({
      ...sent,
      path: path
        .replace("ID", id)
        .replace("OWN", own.artifactId)
        .replace("FILE", victim.fileId)
        .replace("SHARE", victim.shareId),
    })),
  ),
  place("PUT", "the header of an upload", uploadOf, (id) => ({
    path: "/api/v1/assets/upload-object",
    body: PICTURE,
    headers: { ...PNG, "x-service-cc-upload-id": id },
  })),
  place("POST", "a completion's path", uploadOf, (id, { victim }) => ({
    path: `/api/v1/assets/uploads/${id}/complete`,
    body: { assetId: victim.pendingAssetId, byteLength: PICTURE.length },
    headers: newKey(),
  })),
  ...["jobs", "jobs/quote", "previews"].map((resource) =>
    place("POST", `the brand of a request to ${resource}`, brandOf, (id, { own }) => ({
      path: `/api/v1/${resource}`,
      body: packOf(own.client, { brandId: id }),
      headers: newKey(),
    })),
  ),
  ...BRAND_ASSET_NAMES.map((name) =>
    place("POST", `the ${name} of a new brand`, logoOf, (id) => ({
      path: "/api/v1/brands",
      body: { name: "Mine", assetIds: { [name]: id } },
      headers: newKey(),
    })),
  ),
  place("POST", "the first version of a job", jobOf, (id, { own }) => ({
    path: "/api/v1/jobs",
    body: packOf(own.client, { versionOf: id }),
    headers: newKey(),
  })),
  ...SLOT_IDS.flatMap((slot) =>
    ["jobs", "previews"].map((resource) =>
      place("POST", `the ${slot} of a request to ${resource}`, logoOf, (id, { own }) => ({
        path: `/api/v1/${resource}`,
        body: packOf(
          { logoId: id },
          {
            assetIds:
              slot === "secondaryMedia"
                ? { media: id, secondaryMedia: id }
                : { logo: own.client.logoId, [slot]: id },
          },
        ),
        headers: newKey(),
      })),
    ),
  ),
];
