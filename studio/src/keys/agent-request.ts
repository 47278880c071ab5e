/**
 * Storage key of the query string of an agent's authorization request, which contains no secret. It is kept in this tab
 * during sign-in, unparsed, because the router would rewrite values that look like numbers.
 */
const KEPT = "creative-packs.agent-request";

/** Stores the request in the page's address, if there is one. */
export function keepAgentRequest(): void {
  if (location.pathname === "/connect" && location.search.length > 1)
    sessionStorage.setItem(KEPT, location.search.slice(1));
}

/** The stored query string; empty if there is none. */
export const readAgentRequest = (): string => sessionStorage.getItem(KEPT) ?? "";
