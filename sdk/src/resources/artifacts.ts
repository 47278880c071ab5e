import type { ApiPromise } from "../api-promise.ts";
import { type ExpectedBytes, findDownloadFault } from "../digest.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { Artifact, ArtifactDownload, ArtifactSummary } from "../types.ts";

/** Finished packs. `client.packs` is more convenient. */
export class ArtifactsResource extends Resource {
  /** Lists finished packs without their files, newest first. Scope: `artifacts:read`. */
  list(
    query: Operations["listArtifacts"]["query"] = {},
    options: RequestOptions = {},
  ): List<ArtifactSummary> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listArtifacts", query: { ...query, before }, options }),
    );
  }

  /** The manifest: every file with its length, hash, compliance and layout report. Scope: `artifacts:read`. */
  get(artifactId: string, options: RequestOptions = {}): ApiPromise<Artifact> {
    return this.transport.json({ operation: "getArtifact", path: { artifactId }, options });
  }

  /** Short-lived links to the pack as a ZIP and to each file. Do not store or log them. Scope: `artifacts:read`. */
  getDownload(artifactId: string, options: RequestOptions = {}): ApiPromise<ArtifactDownload> {
    return this.transport.json({ operation: "getArtifactDownload", path: { artifactId }, options });
  }

  /**
   * Bytes of a file. Their length and SHA-256 are checked against the headers and, if given, `expected`; damaged bytes
   * are requested again. Scope: `artifacts:read`.
   */
  downloadFile(
    artifactId: string,
    fileId: string,
    expected: ExpectedBytes = {},
    options: RequestOptions = {},
  ): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes(
      { operation: "downloadArtifactFile", path: { artifactId, fileId }, accept: "*/*", options },
      (bytes, headers) => findDownloadFault(bytes, headers, expected),
    );
  }

  /** Streams the target of a link from `getDownload`. The link grants access, so no key is sent. */
  openLink(url: string, options: RequestOptions = {}): ApiPromise<ReadableStream<Uint8Array>> {
    return this.transport.stream(this.#linkCall(url, options));
  }

  /** Like `openLink`, but reads all bytes and checks them against `expected`. */
  downloadLink(
    url: string,
    expected: ExpectedBytes = {},
    options: RequestOptions = {},
  ): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes(this.#linkCall(url, options), (bytes, headers) =>
      findDownloadFault(bytes, headers, expected),
    );
  }

  /** Uses the link's token at the client's base URL: behind a proxy, the service's own URL may not be reachable. */
  #linkCall(url: string, options: RequestOptions) {
    const token = decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "");
    return { operation: "downloadLink", path: { token }, accept: "*/*", options } as const;
  }
}
