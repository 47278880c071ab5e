import { concatUint8Arrays, uint8ArrayToBase64, uint8ArrayToHex } from "uint8array-extras";
import { type Credentials, faultOfSignature } from "./sigv4.ts";
import { digestCode, keepsChecksums, partEtag, refusedHeader, type StoreProfile } from "./store-profiles.ts";

/** An in-memory S3-compatible store with one bucket. It accepts and rejects what a real store does. */

export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /**
   * In S3's format: base64 of the SHA-256, or `<base64>-<parts>` for a multipart object. Null if the upload had no
   * checksum.
   */
  readonly checksum: string | null;
}

interface Upload {
  readonly key: string;
  readonly contentType: string;
  readonly hasChecksums: boolean;
  readonly parts: Map<number, Uint8Array<ArrayBuffer>>;
}

export interface StoreOptions extends Credentials {
  readonly bucket: string;
  /** The kind of store to emulate; default AWS. */
  readonly profile?: StoreProfile;
  /** Minimum bytes of every part except the last; default: S3's minimum. */
  readonly partBytesMin?: number;
}

const PART_BYTES_MIN = 5 * 1_048_576;

const sha256 = async (bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const refusal = (status: number, code: string, message = ""): Response =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    { status, headers: { "Content-Type": "application/xml" } },
  );

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
  /** Keys in the order in which objects were created. */
  readonly order: string[] = [];
  /** Requests in order, such as `PUT part 200`. */
  readonly requests: string[] = [];
  #uploadNumber = 0;
  readonly #options: StoreOptions;
  readonly #profile: StoreProfile;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#profile = options.profile ?? "aws";
  }

  /** Responds like the store. `host` is the requested host. */
  async handle(request: Request, host = new URL(request.url).host): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const answer = await this.#check(request, host);
    const what = query.has("partNumber") ? "part" : query.has("uploads") ? "uploads" : "";
    const named = what !== "" ? what : query.has("uploadId") ? "upload" : "object";
    this.requests.push(`${request.method} ${named} ${answer.status}`);
    // As in S3, a response to HEAD has no body, even if it is an error.
    return request.method === "HEAD" ? new Response(null, answer) : answer;
  }

  async #check(request: Request, host: string): Promise<Response> {
    const fault = await faultOfSignature(request, host, this.#options);
    if (fault !== null) return refusal(STATUSES[fault] ?? 403, fault);
    const url = new URL(request.url);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    if (bucket !== this.#options.bucket) return refusal(404, "NoSuchBucket");
    const key = rest.join("/");
    const bytes = new Uint8Array(await request.arrayBuffer());
    const digest = await sha256(bytes);
    if (request.headers.get("x-amz-content-sha256") !== uint8ArrayToHex(digest)) {
      return refusal(400, "XAmzContentSHA256Mismatch");
    }
    const upload = this.uploads.get(url.searchParams.get("uploadId") ?? "");
    const refused = refusedHeader(this.#profile, request.headers, {
      isPart: url.searchParams.has("partNumber"),
      uploadHasChecksums: upload?.hasChecksums ?? null,
    });
    if (refused !== null) return refusal(refused.status, refused.code, refused.message);
    const stated = request.headers.get("x-amz-checksum-sha256");
    const isKept = stated !== null && keepsChecksums(this.#profile);
    if (isKept && stated !== uint8ArrayToBase64(digest)) return refusal(400, digestCode(this.#profile));
    return this.#answer(request, url.searchParams, key, bytes, isKept ? stated : null);
  }

  async #answer(
    request: Request,
    query: URLSearchParams,
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
    checksum: string | null,
  ): Promise<Response> {
    const contentType = request.headers.get("Content-Type") ?? "binary/octet-stream";
    const uploadId = query.get("uploadId");
    if (request.method === "POST" && query.has("uploads")) {
      const isAsked = request.headers.get("x-amz-checksum-algorithm") === "SHA256";
      return this.#beginUpload(key, contentType, isAsked && keepsChecksums(this.#profile));
    }
    if (uploadId !== null) return this.#answerUpload(request.method, uploadId, query, bytes);
    if (request.method === "PUT") {
      this.#store(key, { bytes, contentType, checksum });
      return new Response(null, {
        headers: { ETag: `"${uint8ArrayToHex(await sha256(bytes)).slice(0, 32)}"` },
      });
    }
    const found = this.objects.get(key);
    if (found === undefined) return refusal(404, "NoSuchKey");
    const headers = new Headers({
      "Content-Type": found.contentType,
      "Content-Length": String(found.bytes.byteLength),
    });
    const isAsked = request.headers.get("x-amz-checksum-mode") === "ENABLED";
    if (isAsked && found.checksum !== null) headers.set("x-amz-checksum-sha256", found.checksum);
    return new Response(request.method === "HEAD" ? null : found.bytes, { headers });
  }

  #store(key: string, object: StoredObject): void {
    this.objects.set(key, object);
    this.order.push(key);
  }

  #beginUpload(key: string, contentType: string, hasChecksums: boolean): Response {
    this.#uploadNumber += 1;
    const uploadId = `upload.${this.#uploadNumber}`;
    this.uploads.set(uploadId, { key, contentType, hasChecksums, parts: new Map() });
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
      const etag = partEtag(this.#profile, uint8ArrayToHex(await sha256(bytes)));
      return new Response(null, { headers: { ETag: `"${etag}"` } });
    }
    return this.#completeUpload(uploadId, upload, new TextDecoder().decode(bytes));
  }

  /** S3 sends status 200 before it assembles the parts, so an error is in the body. */
  async #completeUpload(uploadId: string, upload: Upload, listed: string): Promise<Response> {
    const digests: Uint8Array[] = [];
    const parts: Uint8Array[] = [];
    for (const [, number, etag, checksum] of listed.matchAll(
      /<Part><PartNumber>(\d+)<\/PartNumber><ETag>&quot;([\w+/=]+)&quot;<\/ETag>(?:<ChecksumSHA256>([\w+/=]+)<\/ChecksumSHA256>)?<\/Part>/g,
    )) {
      const part = upload.parts.get(Number(number));
      if (part === undefined) return xml("<Error><Code>InvalidPart</Code></Error>");
      const digest = await sha256(part);
      // S3 requires the checksum of each part again if the upload was started with checksums. Stores without checksums
      // ignore them.
      const listedAs = upload.hasChecksums ? uint8ArrayToBase64(digest) : undefined;
      const isListed = checksum === listedAs || !keepsChecksums(this.#profile);
      const isSame = partEtag(this.#profile, uint8ArrayToHex(digest)) === etag && isListed;
      if (!isSame) return xml("<Error><Code>InvalidPart</Code></Error>");
      digests.push(digest);
      parts.push(part);
    }
    const bytesMin = this.#options.partBytesMin ?? PART_BYTES_MIN;
    const isTooSmall = parts.slice(0, -1).some((part) => part.byteLength < bytesMin);
    if (parts.length === 0 || isTooSmall) return xml("<Error><Code>EntityTooSmall</Code></Error>");
    const composite = `${uint8ArrayToBase64(await sha256(concatUint8Arrays(digests)))}-${parts.length}`;
    const checksum = upload.hasChecksums ? composite : null;
    this.#store(upload.key, { bytes: concatUint8Arrays(parts), contentType: upload.contentType, checksum });
    this.uploads.delete(uploadId);
    return xml(`<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`);
  }
}
