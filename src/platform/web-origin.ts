/**
 * The origin of an http or https address, or null for any other text. `localhost:8787` and `app.example:443` parse as
 * addresses of schemes of those names, whose origin is the text "null": what a sandboxed page of anybody sends.
 */
export function webOriginOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}
