import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Page } from "creative-packs";

/** Fetches one page: the first, or the one after a cursor. */
type ReadPage<T> = (after: { readonly before?: string }, signal: AbortSignal) => Promise<Page<T>>;

/** A paginated list, newest first. */
export const pagedQuery = <T>(queryKey: readonly string[], readPage: ReadPage<T>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam === null ? {} : { before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });
