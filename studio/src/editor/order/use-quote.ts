import { useQuery } from "@tanstack/react-query";
import type { JobQuote, PackRequest } from "creative-packs";
import { useEffect, useState } from "react";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";

/** Typing on asks nothing; a rest of this length does. */
const REST_MS = 900;

/** What an order would cost, and why it would be refused. */
export interface Quote {
  readonly quote: JobQuote | null;
  readonly error: unknown;
  /** A job of the very same pack whose files are kept; null where there is none. */
  readonly artifactId: string | null;
}

/** Asks what an order would be, whenever it rests; of null nothing. */
export function useQuote(request: PackRequest | null): Quote {
  const workspaceId = useWorkspaceId();
  const body = request === null ? null : JSON.stringify(request);
  const rested = useRested(body);
  const isCurrent = body !== null && rested === body;
  const quote = useQuery({
    queryKey: ["workspace", workspaceId, "quote", rested],
    enabled: isCurrent && request !== null,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      request === null ? null : clientOf(workspaceId).jobs.quote(request, { signal }),
  });
  const fingerprint = quote.data?.renderFingerprint ?? "";
  const same = useQuery({
    queryKey: ["workspace", workspaceId, "same-pack", fingerprint],
    enabled: isCurrent && fingerprint !== "",
    queryFn: async ({ signal }) => {
      const page = await clientOf(workspaceId)
        .jobs.list({ renderFingerprint: fingerprint, status: "succeeded", limit: 1 }, { signal })
        .firstPage();
      return page.items[0]?.artifactId ?? null;
    },
  });
  if (!isCurrent) return { quote: null, error: null, artifactId: null };
  return { quote: quote.data ?? null, error: quote.error, artifactId: same.data ?? null };
}

function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
