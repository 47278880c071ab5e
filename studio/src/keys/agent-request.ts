/**
 * The query with which an agent sends a person here, as it was sent: the router would rewrite values that look like numbers.
 * It is kept for this tab over the way to sign-in and back. Nothing in it is secret.
 */
const KEPT = "creative-packs.agent-request";

/** Keeps the request of the address that the page was opened with, if it has one. */
export function keepAgentRequest(): void {
  if (location.pathname === "/connect" && location.search.length > 1)
    sessionStorage.setItem(KEPT, location.search.slice(1));
}

/** Empty where no agent has sent the person. */
export const readAgentRequest = (): string => sessionStorage.getItem(KEPT) ?? "";
