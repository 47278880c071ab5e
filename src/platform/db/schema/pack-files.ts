import type { ArtifactBody, FILE_CONTENT_TYPES } from "#api/schemas/artifact.ts";

/** Stored JSON about a pack's files: the row has the fields that routes need, the manifest object has the rest. */

type FileBody = ArtifactBody["files"][number];

/** Data to find, verify and list a file of a pack. */
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
  /** SHA-256 of the stored bytes, lower-case hex. */
  readonly sha256: string;
  /** Only for an animated file. */
  readonly animation?: { readonly frames: number; readonly durationMs: number; readonly loops: number };
}

/** Data of a file that only the manifest shows. */
export interface FileDetails extends Pick<FileBody, "compliance" | "layout" | "engineVersion"> {
  readonly fileId: string;
}

/**
 * Position of a pack's line in an archive, and the counts of sizes and files for lists. See
 * artifacts/archive-object.ts.
 */
export interface PackArchive {
  /** Whole days since 1970, UTC. */
  readonly day: number;
  readonly part: number;
  /** The gzip member that contains the line. */
  readonly offset: number;
  readonly length: number;
  readonly sizes: number;
  readonly files: number;
}

/** All data of a drawn file. */
export type DrawnFile = PackFile & FileDetails;
