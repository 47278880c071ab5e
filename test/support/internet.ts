import { vi } from "vitest";

/**
 * Stands in for the internet: answers each request that the worker sends to another server. Cloudflare would answer one
 * without `no-store` from its cache, and send a HEAD of it as GET, so such a request fails here.
 */
export const standInForInternet = (answer: (request: Request) => Promise<Response>) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.cache !== "no-store") throw new Error(`${request.method} may be answered from a cache`);
    return answer(request);
  });
