import { Miniflare } from "miniflare";

/**
 * A store with another implementation of S3, signatures and multipart uploads: miniflare's, over its simulator of R2.
 */
export interface ForeignStore {
  /** The store's S3 endpoint: a loopback origin with a path. */
  readonly endpoint: string;
  readonly settings: {
    readonly region: string;
    readonly bucket: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** Reads an object from R2 directly; null if missing. */
  readonly read: (
    key: string,
  ) => Promise<{ bytes: Uint8Array; contentType: string; partCount: number } | null>;
  readonly list: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const SETTINGS = {
  region: "auto",
  bucket: "foreign-packs",
  accessKeyId: "FOREIGNKEY",
  secretAccessKey: "foreign-secret-access-key",
};
/** The path used by miniflare's own client, which the package does not export. */
const S3_PATH = "/cdn-cgi/local/r2/s3";
/** As in S3, the ETag of a multipart object in R2 ends with the number of parts. */
const PARTS_IN_ETAG = /-(\d+)$/;

export async function startForeignStore(): Promise<ForeignStore> {
  const { bucket, accessKeyId, secretAccessKey } = SETTINGS;
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    logRequests: false,
    enableDevRegistry: false,
    workers: [
      {
        config: {
          name: "foreign-store",
          compatibilityDate: "2026-01-01",
          // Unused; only a worker can bind the bucket.
          manifest: {
            mainModule: "index.mjs",
            modules: { "index.mjs": { type: "esm", contents: "export default {}" } },
          },
          env: {
            PACKS: {
              type: "r2",
              name: bucket,
              dev: { experimentalS3Credentials: { accessKeyId, secretAccessKey } },
            },
          },
        },
      },
    ],
  });
  const { origin } = await miniflare.ready;
  const packs = await miniflare.getR2Bucket("PACKS");
  return {
    endpoint: `${origin}${S3_PATH}`,
    settings: SETTINGS,
    read: async (key) => {
      const object = await packs.get(key);
      if (object === null) return null;
      return {
        bytes: new Uint8Array(await object.arrayBuffer()),
        contentType: object.httpMetadata?.contentType ?? "",
        partCount: Number(PARTS_IN_ETAG.exec(object.etag)?.[1] ?? 1),
      };
    },
    list: async () => (await packs.list()).objects.map(({ key }) => key),
    close: () => miniflare.dispose(),
  };
}
