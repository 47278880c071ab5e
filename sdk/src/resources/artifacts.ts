import type { ApiPromise } from "../api-promise.ts";
import { type ExpectedBytes, findDownloadFault } from "../digest.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { Artifact, ArtifactDownload, ArtifactSummary } from "../types.ts";

/** Finished packs. `client.packs` brings them whole. */
export class ArtifactsResource extends Resource {
  /** Finished packs, newest first, without their files. Scope: `artifacts:read`. */
  list(
    query: Operations["listArtifacts"]["query"] = {},
    options: RequestOptions = {},
  ): List<ArtifactSummary> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listArtifacts", query: { ...query, before }, options }),
    );
  }

  /** The manifest: every file with its length, hash, verdict and layout. Scope: `artifacts:read`. */
  get(artifactId: string, options: RequestOptions = {}): ApiPromise<Artifact> {
    return this.transport.json({ operation: "getArtifact", path: { artifactId }, options });
  }

  /** Short-lived links to the pack as a ZIP and to each file. Do not store or log them. Scope: `artifacts:read`. */
  getDownload(artifactId: string, options: RequestOptions = {}): ApiPromise<ArtifactDownload> {
    return this.transport.json({ operation: "getArtifactDownload", path: { artifactId }, options });
  }

  /**
   * The bytes of a file. Their length and SHA-256 are compared with what the answer, and `expected` where given, say;
   * damaged bytes are asked for again. Scope: `artifacts:read`.
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

  /** What a link of `getDownload` leads to, as it comes. The link is its own permission; no key is sent. */
  openLink(url: string, options: RequestOptions = {}): ApiPromise<ReadableStream<Uint8Array>> {
    return this.transport.stream(this.#linkCall(url, options));
  }

  /** As `openLink`, whole and of the length that is expected. */
  downloadLink(
    url: string,
    expected: ExpectedBytes = {},
    options: RequestOptions = {},
  ): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes(this.#linkCall(url, options), (bytes, headers) =>
      findDownloadFault(bytes, headers, expected),
    );
  }

  /** The token alone, at our own address: behind a proxy the service's own may not be reachable. */
  #linkCall(url: string, options: RequestOptions) {
    const token = decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "");
    return { operation: "downloadLink", path: { token }, accept: "*/*", options } as const;
  }
}
