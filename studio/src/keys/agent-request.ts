/**
 * The query of an agent's authorization request, unparsed: the router would rewrite values that look like numbers. Kept
 * for this tab across sign-in. Contains no secret.
 */
const KEPT = "creative-packs.agent-request";

/** Stores the request in the page's address, if there is one. */
export function keepAgentRequest(): void {
  if (location.pathname === "/connect" && location.search.length > 1)
    sessionStorage.setItem(KEPT, location.search.slice(1));
}

/** Empty if no agent opened the page. */
export const readAgentRequest = (): string => sessionStorage.getItem(KEPT) ?? "";
