import { uint8ArrayToHex } from "uint8array-extras";
/**
 * Verifies AWS Signature Version 4, implemented from Amazon's specification and independent of the signing library:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

export interface Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const encoder = new TextEncoder();

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return crypto.subtle.sign("HMAC", imported, encoder.encode(text));
}

/** Everything except the unreserved characters of RFC 3986 as `%XX`. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function canonicalQuery(url: URL): string {
  const pairs = [...url.searchParams].map(([name, value]) => [uriEncode(name), uriEncode(value)] as const);
  return pairs
    .sort(([left, leftValue], [right, rightValue]) =>
      left === right ? (leftValue < rightValue ? -1 : 1) : left < right ? -1 : 1,
    )
    .map((pair) => pair.join("="))
    .join("&");
}

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** The S3 error code if the signature is wrong, otherwise null. */
export async function faultOfSignature(
  request: Request,
  host: string,
  { region, accessKeyId, secretAccessKey }: Credentials,
): Promise<string | null> {
  const match = HEADER.exec(request.headers.get("Authorization") ?? "");
  if (match === null) return "AuthorizationHeaderMalformed";
  const [, keyId, date, signedRegion, signedHeaders = "", signature] = match;
  const at = request.headers.get("x-amz-date") ?? "";
  const payloadHash = request.headers.get("x-amz-content-sha256");
  if (payloadHash === null) return "MissingSecurityHeader";
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  if (signedRegion !== region || date === undefined || !at.startsWith(date))
    return "AuthorizationHeaderMalformed";
  const names = signedHeaders.split(";");
  // Amazon requires a signature over the host and every x-amz header.
  const mustBeSigned = ["host", ...[...request.headers.keys()].filter((name) => name.startsWith("x-amz-"))];
  if (!mustBeSigned.every((name) => names.includes(name))) return "AccessDenied";
  const url = new URL(request.url);
  const canonical = [
    request.method,
    decodeURIComponent(url.pathname).split("/").map(uriEncode).join("/"),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${name === "host" ? host : (request.headers.get(name) ?? "").trim()}`),
    "",
    signedHeaders,
    payloadHash,
  ].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const digest = uint8ArrayToHex(await crypto.subtle.digest("SHA-256", encoder.encode(canonical)));
  let key = await hmac(encoder.encode(`AWS4${secretAccessKey}`), date);
  for (const part of [region, "s3", "aws4_request"]) key = await hmac(key, part);
  const expected = uint8ArrayToHex(await hmac(key, ["AWS4-HMAC-SHA256", at, scope, digest].join("\n")));
  return expected === signature ? null : "SignatureDoesNotMatch";
}
