/** Whether If-None-Match names this entity tag, compared weakly (RFC 9110 §13.1.2). */
export function isNoneMatchHit(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}
