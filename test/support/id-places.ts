import { BRAND_ASSET_NAMES, SLOT_IDS } from "#api/slots.ts";
import { firstFile, type ReadyPack, readyPack } from "./artifacts.ts";
import { type AssetFile, createIntent } from "./assets.ts";
import { savedBrand } from "./brands.ts";
import { png } from "./files.ts";
import { acceptedJob, holdQueue, packOf } from "./jobs.ts";
import { MAIL } from "./mail.ts";
import { shareOf } from "./shares.ts";
import type { Call } from "./workspace.ts";

/** Every place in a request where an id can stand, and a workspace whose ids somebody else tries there. */

export const PICTURE = png(300, 300);
export const FILE: AssetFile = {
  slotId: "logo",
  fileName: "a.png",
  mimeType: "image/png",
  bytes: PICTURE,
  width: 300,
  height: 300,
};

/** A workspace with one of everything that has an id. */
export interface Victim {
  readonly pack: ReadyPack;
  readonly fileId: string;
  readonly shareId: string;
  readonly brandId: string;
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
  return {
    pack,
    fileId: firstFile(pack).fileId,
    shareId: (await shareOf(pack)).share.shareId,
    brandId: (await savedBrand(pack.client.secret, { name: "Velo" })).brandId,
    uploadId: intent.uploadId,
    pendingAssetId: intent.assetId,
    queuedJobId: job.jobId,
    fingerprint: job.renderFingerprint,
  };
}

export interface Place {
  readonly method: string;
  readonly where: string;
  /** The request that puts an id there; the thief's own pack fills the other places. */
  readonly request: (id: string, ground: Ground) => Call & { readonly path: string };
  /** The victim's id that belongs there. */
  readonly idOf: (victim: Victim) => string;
}

export interface Ground {
  readonly victim: Victim;
  readonly own: ReadyPack;
}

export const newKey = () => ({ "Idempotency-Key": crypto.randomUUID() });

const PNG = { "Content-Type": "image/png" };
const SHARE_MAIL = { email: "grace@packs.example", language: "en" };
/** Members' writes to a share link: method, what follows the link's path, body. */
const SHARE_WRITES = [
  ["PATCH", "", { isClean: true }],
  ["POST", "/comments", { text: "Done." }],
  ["PATCH", "/comments/0199f0ca-2b3c-7d4e-8f50-617283940a1b", { isResolved: true }],
] as const;
const ARTIFACTS = "/api/v1/artifacts";
const UPLOADS = "/api/v1/assets/uploads";

const logoOf = ({ pack }: Victim): string => pack.client.logoId;
const artifactOf = ({ pack }: Victim): string => pack.artifactId;
const brandOf = ({ brandId }: Victim): string => brandId;
const uploadOf = ({ uploadId }: Victim): string => uploadId;
const jobOf = ({ queuedJobId }: Victim): string => queuedJobId;

const place = (method: string, where: string, idOf: Place["idOf"], request: Place["request"]): Place => ({
  method,
  where,
  idOf,
  request,
});

/** A place in a path, in a request that has nothing else. */
const inPath = (method: string, where: string, idOf: Place["idOf"], path: (id: string) => string): Place =>
  place(method, where, idOf, (id) => ({ path: path(id) }));

export const PLACES: readonly Place[] = [
  inPath("GET", "an asset's path", logoOf, (id) => `/api/v1/assets/${id}`),
  inPath("GET", "the path of an asset's bytes", logoOf, (id) => `/api/v1/assets/${id}/content`),
  inPath("DELETE", "an asset's path", logoOf, (id) => `/api/v1/assets/${id}`),
  place("PUT", "an upload's path", uploadOf, (id) => ({
    path: `${UPLOADS}/${id}/object`,
    body: PICTURE,
    headers: PNG,
  })),
  place("PUT", "the query of an upload", uploadOf, (id) => ({
    path: `/api/v1/assets/upload-object?uploadId=${id}`,
    body: PICTURE,
    headers: PNG,
  })),
  place("PUT", "the header of an upload", uploadOf, (id) => ({
    path: "/api/v1/assets/upload-object",
    body: PICTURE,
    headers: { ...PNG, "x-service-cc-upload-id": id },
  })),
  place("POST", "a completion's path", uploadOf, (id, { victim }) => ({
    path: `${UPLOADS}/${id}/complete`,
    body: { assetId: victim.pendingAssetId, byteLength: PICTURE.length },
    headers: newKey(),
  })),
  inPath("GET", "a brand's path", brandOf, (id) => `/api/v1/brands/${id}`),
  place("PATCH", "a brand's path", brandOf, (id) => ({
    path: `/api/v1/brands/${id}`,
    body: { name: "Mine" },
  })),
  inPath("DELETE", "a brand's path", brandOf, (id) => `/api/v1/brands/${id}`),
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
  inPath("GET", "a job's path", jobOf, (id) => `/api/v1/jobs/${id}`),
  place("PATCH", "a job's path", jobOf, (id) => ({ path: `/api/v1/jobs/${id}`, body: { name: "Mine" } })),
  place("POST", "the first version of a job", jobOf, (id, { own }) => ({
    path: "/api/v1/jobs",
    body: packOf(own.client, { versionOf: id }),
    headers: newKey(),
  })),
  inPath("POST", "a cancellation's path", jobOf, (id) => `/api/v1/jobs/${id}/cancel`),
  inPath("GET", "an artifact's path", artifactOf, (id) => `${ARTIFACTS}/${id}`),
  inPath("GET", "a download's path", artifactOf, (id) => `${ARTIFACTS}/${id}/download`),
  place("GET", "a file's path, as its artifact", artifactOf, (id, { victim }) => ({
    path: `${ARTIFACTS}/${id}/files/${victim.fileId}/download`,
  })),
  place(
    "GET",
    "a file's path, as a file of one's own artifact",
    ({ fileId }) => fileId,
    (id, { own }) => ({
      path: `${ARTIFACTS}/${own.artifactId}/files/${id}/download`,
    }),
  ),
  inPath("GET", "the path of share links", artifactOf, (id) => `${ARTIFACTS}/${id}/shares`),
  place("POST", "the path of share links", artifactOf, (id) => ({
    path: `${ARTIFACTS}/${id}/shares`,
    body: {},
  })),
  place(
    "GET",
    "the path of a share link's comments",
    ({ shareId }) => shareId,
    (id, { own }) => ({ path: `${ARTIFACTS}/${own.artifactId}/shares/${id}/comments` }),
  ),
  place("GET", "the same, as its artifact", artifactOf, (id, { victim }) => ({
    path: `${ARTIFACTS}/${id}/shares/${victim.shareId}/comments`,
  })),
  ...SHARE_WRITES.flatMap(([method, tail, body]) => [
    place(
      method,
      `a share link's path${tail}`,
      ({ shareId }) => shareId,
      (id, { own }) => ({ path: `${ARTIFACTS}/${own.artifactId}/shares/${id}${tail}`, body }),
    ),
    place(method, `the same${tail}, as its artifact`, artifactOf, (id, { victim }) => ({
      path: `${ARTIFACTS}/${id}/shares/${victim.shareId}${tail}`,
      body,
    })),
  ]),
  place(
    "DELETE",
    "a share link's path",
    ({ shareId }) => shareId,
    (id, { own }) => ({ path: `${ARTIFACTS}/${own.artifactId}/shares/${id}` }),
  ),
  place("DELETE", "the same, as its artifact", artifactOf, (id, { victim }) => ({
    path: `${ARTIFACTS}/${id}/shares/${victim.shareId}`,
  })),
  place(
    "POST",
    "the path by which a share link is mailed",
    ({ shareId }) => shareId,
    (id, { own }) => ({
      path: `${ARTIFACTS}/${own.artifactId}/shares/${id}/mail`,
      body: SHARE_MAIL,
      settings: MAIL,
    }),
  ),
  place("POST", "the same, as its artifact", artifactOf, (id, { victim }) => ({
    path: `${ARTIFACTS}/${id}/shares/${victim.shareId}/mail`,
    body: SHARE_MAIL,
    settings: MAIL,
  })),
  inPath(
    "DELETE",
    "an API key's path",
    ({ pack }) => pack.client.apiKeyId,
    (id) => `/api/v1/api-keys/${id}`,
  ),
  place("POST", "the path of a destination", artifactOf, (id) => ({
    path: `/api/account/artifacts/${id}/destinations`,
    body: {},
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
