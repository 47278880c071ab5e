import type { ArtifactBody, FILE_CONTENT_TYPES } from "#api/schemas/artifact.ts";

/** What is kept of a pack's files as JSON: in a row what routes need, in the manifest object the rest. */

type FileBody = ArtifactBody["files"][number];

/** What it takes to find a file of a pack, to verify it and to list it. */
export interface PackFile {
  readonly fileId: string;
  readonly sizeId: string;
  readonly role: "primary" | "backup";
  /** Unique in the pack. */
  readonly fileName: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: (typeof FILE_CONTENT_TYPES)[number];
  readonly byteLength: number;
  /** Of the stored bytes, lower-case hex. */
  readonly sha256: string;
  /** Only of a file that moves. */
  readonly animation?: { readonly frames: number; readonly durationMs: number; readonly loops: number };
}

/** What only the manifest shows of a file. */
export interface FileDetails extends Pick<FileBody, "compliance" | "layout" | "engineVersion"> {
  readonly fileId: string;
}

/**
 * Where a pack's line stands in an archive, and what lists show of it without reading that: how many sizes and files it had.
 * See artifacts/archive-object.ts.
 */
export interface PackArchive {
  /** Whole days since 1970, UTC. */
  readonly day: number;
  readonly part: number;
  /** The bytes of the gzip member that has the line. */
  readonly offset: number;
  readonly length: number;
  readonly sizes: number;
  readonly files: number;
}

/** A file that was drawn, whole. */
export type DrawnFile = PackFile & FileDetails;
