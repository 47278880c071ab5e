import { readRefusal, toApiError } from "creative-packs/internal";
import { fetchWithKey } from "./client.ts";

/** A year of usage by day, key and contract of a workspace with many keys; what has more is asked for in parts. */
const PAGES_MAX = 100;

/** A table (CSV) from the API, all pages of it. Throws as the client library does. */
export async function fetchTable(workspaceId: string, first: string): Promise<Blob> {
  let address: string | null = first;
  const parts: string[] = [];
  while (address !== null && parts.length < PAGES_MAX) {
    const response = await fetchWithKey(workspaceId, address);
    const text = await response.text();
    if (!response.ok) throw toApiError(readRefusal(response, text));
    // Each page repeats the table's head.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf("\n") + 1));
    address = nextAddressOf(response);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** RFC 8288: the address of the next page; null at the end. */
const nextAddressOf = ({ headers }: Response): string | null =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1] ?? null;
