import { env } from "cloudflare:workers";

/** A page of the static files beside the worker, as they are served to browsers; null where none were deployed. */
export async function fetchStaticPage(request: Request): Promise<Response | null> {
  if (env.ASSETS === undefined) return null;
  return env.ASSETS.fetch(request);
}
