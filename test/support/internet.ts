import { vi } from "vitest";

/**
 * Replaces the internet for the worker's requests to other servers. A request without `no-store` fails here: Cloudflare
 * would answer it from its cache, and send a HEAD as GET.
 */
export const standInForInternet = (answer: (request: Request) => Promise<Response>) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.cache !== "no-store") throw new Error(`${request.method} may be answered from a cache`);
    return answer(request);
  });
