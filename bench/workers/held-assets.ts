/**
 * Files that a bench worker keeps in memory. They are uploaded before the measurement, so that reading them costs
 * nothing.
 */
const held = new Map<string, Uint8Array<ArrayBuffer>>();

export function heldAsset(name: string): Uint8Array<ArrayBuffer> {
  const bytes = held.get(name);
  if (bytes === undefined) throw new Error(`the worker holds no ${name}`);
  return bytes;
}

/** Handles `PUT /assets/<name>`; null for other requests. */
export async function holdAsset(request: Request): Promise<Response | null> {
  const name = /^\/assets\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
  if (request.method !== "PUT" || name === undefined) return null;
  held.set(name, new Uint8Array(await request.arrayBuffer()));
  return new Response(null, { status: 204 });
}
