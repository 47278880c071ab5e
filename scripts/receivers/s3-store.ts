import { type Credentials, faultOfSignature } from "./sigv4.ts";

/** An S3-compatible store in memory, for one bucket: it takes what S3 takes, and refuses what S3 refuses. */

export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** As S3 states it: base64 of the SHA-256, or `<base64>-<parts>` of an object in parts. */
  readonly checksum: string;
}

interface Upload {
  readonly key: string;
  readonly contentType: string;
  readonly parts: Map<number, Uint8Array<ArrayBuffer>>;
}

export interface StoreOptions extends Credentials {
  readonly bucket: string;
  /** False for a store that keeps no checksums, of which there are many. */
  readonly keepsChecksums?: boolean;
}

/** S3's least length of a part that is not the last. */
const PART_BYTES_MIN = 5 * 1_048_576;

const sha256 = async (bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

const refusal = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`, {
    status,
    headers: { "Content-Type": "application/xml" },
  });

const xml = (text: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    headers: { "Content-Type": "application/xml" },
  });

const STATUSES: Readonly<Record<string, number>> = {
  AuthorizationHeaderMalformed: 400,
  MissingSecurityHeader: 400,
};

export class S3Store {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  /** Keys in the order in which objects came to lie here. */
  readonly order: string[] = [];
  #uploadNumber = 0;
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Answers a request as the store does. `host` is what the client asked for. */
  async handle(request: Request, host = new URL(request.url).host): Promise<Response> {
    const fault = await faultOfSignature(request, host, this.#options);
    if (fault !== null) return refusal(STATUSES[fault] ?? 403, fault);
    const url = new URL(request.url);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    if (bucket !== this.#options.bucket) return refusal(404, "NoSuchBucket");
    const key = rest.join("/");
    const bytes = new Uint8Array(await request.arrayBuffer());
    const digest = await sha256(bytes);
    if (request.headers.get("x-amz-content-sha256") !== toHex(digest)) {
      return refusal(400, "XAmzContentSHA256Mismatch");
    }
    const stated = request.headers.get("x-amz-checksum-sha256");
    if (stated !== null && stated !== toBase64(digest)) return refusal(400, "BadDigest");
    return this.#answer(request, url.searchParams, key, bytes, digest);
  }

  async #answer(
    request: Request,
    query: URLSearchParams,
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
    digest: Uint8Array,
  ): Promise<Response> {
    const contentType = request.headers.get("Content-Type") ?? "binary/octet-stream";
    const uploadId = query.get("uploadId");
    if (request.method === "POST" && query.has("uploads")) return this.#beginUpload(key, contentType);
    if (uploadId !== null) return this.#answerUpload(request.method, uploadId, query, bytes);
    if (request.method === "PUT") {
      this.#store(key, { bytes, contentType, checksum: toBase64(digest) });
      return new Response(null, { headers: { ETag: `"${toHex(digest).slice(0, 32)}"` } });
    }
    const found = this.objects.get(key);
    if (found === undefined) return refusal(404, "NoSuchKey");
    const headers = new Headers({
      "Content-Type": found.contentType,
      "Content-Length": String(found.bytes.byteLength),
    });
    const isAsked = request.headers.get("x-amz-checksum-mode") === "ENABLED";
    if (isAsked && this.#options.keepsChecksums !== false)
      headers.set("x-amz-checksum-sha256", found.checksum);
    return new Response(request.method === "HEAD" ? null : found.bytes, { headers });
  }

  #store(key: string, object: StoredObject): void {
    this.objects.set(key, object);
    this.order.push(key);
  }

  #beginUpload(key: string, contentType: string): Response {
    this.#uploadNumber += 1;
    const uploadId = `upload.${this.#uploadNumber}`;
    this.uploads.set(uploadId, { key, contentType, parts: new Map() });
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  async #answerUpload(
    method: string,
    uploadId: string,
    query: URLSearchParams,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined) return refusal(404, "NoSuchUpload");
    if (method === "DELETE") {
      this.uploads.delete(uploadId);
      return new Response(null, { status: 204 });
    }
    if (method === "PUT") {
      upload.parts.set(Number(query.get("partNumber")), bytes);
      return new Response(null, { headers: { ETag: `"${toHex(await sha256(bytes)).slice(0, 32)}"` } });
    }
    return this.#completeUpload(uploadId, upload, new TextDecoder().decode(bytes));
  }

  /** S3 sends its status before it has put the parts together, so a fault stands in a body of status 200. */
  async #completeUpload(uploadId: string, upload: Upload, listed: string): Promise<Response> {
    const digests: Uint8Array[] = [];
    const parts: Uint8Array[] = [];
    for (const [, number, etag, checksum] of listed.matchAll(
      /<Part><PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag><ChecksumSHA256>([\w+/=]+)<\/ChecksumSHA256><\/Part>/g,
    )) {
      const part = upload.parts.get(Number(number));
      if (part === undefined) return xml("<Error><Code>InvalidPart</Code></Error>");
      const digest = await sha256(part);
      const isSame = toHex(digest).startsWith(etag ?? "-") && toBase64(digest) === checksum;
      if (!isSame) return xml("<Error><Code>InvalidPart</Code></Error>");
      digests.push(digest);
      parts.push(part);
    }
    const isTooSmall = parts.slice(0, -1).some((part) => part.byteLength < PART_BYTES_MIN);
    if (parts.length === 0 || isTooSmall) return xml("<Error><Code>EntityTooSmall</Code></Error>");
    const checksum = `${toBase64(await sha256(join(digests)))}-${parts.length}`;
    this.#store(upload.key, { bytes: join(parts), contentType: upload.contentType, checksum });
    this.uploads.delete(uploadId);
    return xml(
      `<CompleteMultipartUploadResult><ChecksumSHA256>${checksum}</ChecksumSHA256></CompleteMultipartUploadResult>`,
    );
  }
}
