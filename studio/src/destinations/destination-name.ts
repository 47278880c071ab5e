import type { Destination } from "creative-packs/internal";

/** How people know a destination: a webhook by its address, a storage by bucket and folder. */
export function destinationName(destination: Destination): string {
  if (destination.kind === "webhook") return destination.url;
  const { bucket, prefix, endpoint } = destination;
  return `${prefix === "" ? bucket : `${bucket}/${prefix}`} · ${new URL(endpoint).host}`;
}
