import { readRefusal, toApiError } from "creative-packs/internal";
import { fetchWithKey } from "./client.ts";

/** Fetches all pages of a CSV table from the API. Throws the client library's errors. */
export async function fetchTable(workspaceId: string, first: string): Promise<Blob> {
  let address: string | null = first;
  const parts: string[] = [];
  while (address !== null) {
    const response = await fetchWithKey(workspaceId, address);
    const text = await response.text();
    if (!response.ok) throw toApiError(readRefusal(response, text));
    // Each page repeats the header row.
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf("\n") + 1));
    address = nextAddressOf(response);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** URL of the next page (RFC 8288); null on the last page. */
const nextAddressOf = ({ headers }: Response): string | null =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1] ?? null;
