import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { type AddressRules, checkAddress } from "./address-guard.ts";

/** Where a store is asked: an origin, and the path under which some stores have their S3 interface. */

/** Longer than any store's own; a key of 1,024 bytes still fits beside it. */
export const ENDPOINT_PATH_CHARACTERS_MAX = 512;

/**
 * Names between slashes, of the characters that RFC 3986 §2.3 leaves unreserved: in a signature they stand as they
 * are, whereas stores disagree on how often others are encoded there. `.` and `..` would lead elsewhere.
 */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** What is wrong with a path, as it was written and without a slash at its end, or null. */
function faultOf(path: string): string | null {
  if (path.includes("?")) return "must not have a query";
  if (path.length > ENDPOINT_PATH_CHARACTERS_MAX) {
    return `must not have a path of more than ${ENDPOINT_PATH_CHARACTERS_MAX} characters`;
  }
  const segments = path.split("/").slice(1);
  const isPlain = segments.every((segment) => SEGMENT.test(segment));
  return isPlain ? null : "must have a path of plain names, of letters, digits and `._~-`";
}

/**
 * The endpoint as it is kept and signed, without a slash at its end, when the service may send to it. 422
 * ADDRESS_REFUSED, with a reason that quotes nothing of it.
 */
export function checkEndpoint(text: string, rules: AddressRules): Outcome<string> {
  const url = checkAddress(text, rules);
  if (!url.ok) return url;
  // `URL` has followed `..` and `%2e%2e` by now; what was written is read, so that they are refused.
  const path = text.replace(/^https?:\/\/[^/?#]+/i, "").replace(/\/$/, "");
  const fault = faultOf(path);
  if (fault !== null) return refuse("ADDRESS_REFUSED", `The endpoint of a store ${fault}.`);
  return accept(`${url.value.origin}${path}`);
}
