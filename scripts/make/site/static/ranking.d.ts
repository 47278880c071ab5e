import type MiniSearch from "minisearch";
import type { Options, SearchResult } from "minisearch";

export const OPTIONS: Pick<Options, "fields" | "storeFields"> & { fields: string[] };
export function findPages(index: MiniSearch, text: string): readonly SearchResult[];
