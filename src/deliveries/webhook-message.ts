import { type Artifact, presentArtifact } from "../artifacts/artifact.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import type { DownloadLinks } from "../contract/schemas/artifact.ts";
import { toTimestamp } from "../platform/clock.ts";
import type { Delivery } from "./delivery-store.ts";

/** The text of a message, as Standard Webhooks lays it out: type, time of the event, data. */
const envelope = ({ eventType, createdAtMs }: Delivery, data: object): string =>
  JSON.stringify({ type: eventType, timestamp: toTimestamp(createdAtMs), data });

const byteLengthOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** The message about an event of the workspace. */
export const eventMessage = (delivery: Delivery, data: object): string =>
  envelope(delivery, { deliveryId: delivery.deliveryId, workspaceId: delivery.workspaceId, ...data });

/**
 * The message that brings an artifact: manifest and links, as much of them as fits in the most a message may hold.
 * `detail` says how much: `full` has all; `brief` leaves compliance and layout out of the files; `summary` has no
 * files and no links to them. The link to the whole pack is always there, and its ZIP holds the whole manifest.
 */
export function artifactMessage(delivery: Delivery, artifact: Artifact, links: DownloadLinks): string {
  const manifest = presentArtifact(artifact);
  const { files: fileLinks, ...download } = links;
  const messageOf = (detail: "full" | "brief" | "summary", files: object[], ofFiles: object[]): string =>
    envelope(delivery, {
      deliveryId: delivery.deliveryId,
      workspaceId: delivery.workspaceId,
      detail,
      fileCount: manifest.files.length,
      artifact: { ...manifest, files },
      download: { ...download, files: ofFiles },
    });
  const briefFiles = manifest.files.map(({ compliance: _compliance, layout: _layout, ...file }) => file);
  const briefLinks = fileLinks.map(({ fileId, url }) => ({ fileId, url }));
  const candidates = [
    () => messageOf("full", manifest.files, fileLinks),
    () => messageOf("brief", briefFiles, briefLinks),
    () => messageOf("summary", [], []),
  ];
  for (const candidate of candidates) {
    const text = candidate();
    if (byteLengthOf(text) <= DELIVERY_LIMITS.webhookMessageBytesMax) return text;
  }
  throw new Error("a message without files is too long");
}
