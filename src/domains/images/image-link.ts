import { uint8ArrayToBase64 } from "uint8array-extras";
import { accept, type Outcome, refuse, refuseMember } from "#api/errors.ts";
import {
  IMAGE_CHOICES,
  IMAGE_COLOURS,
  IMAGE_NUMBERS,
  IMAGE_TYPES,
  IMAGE_WORDS,
  type ImageFormat,
  type ImageParameters,
  type ImageUrlQuery,
} from "#api/schemas/image.ts";
import { type CreateJobRequest, createJobSchema } from "#api/schemas/job.ts";
import { SLOT_IDS } from "#api/slots.ts";
import { CONTRACTS } from "#catalogue/contracts.ts";
import { equalsInConstantTime, hmacSha256, sha256Hex } from "#platform/crypto/hashing.ts";

/**
 * Image URLs: `/i/{signature}/{sizeId}.{format}?…`. The signed text is the file name and the percent-encoded parameters
 * in order, each once, so that no two different images have the same text. The client library implements the same
 * (sdk/src/image-url.ts); test/fixtures/image-urls.json tests both.
 */

const PURPOSE = "creative-packs image url v1";

const encoder = new TextEncoder();

/** RFC 3986: encodes everything but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The parameters to sign: percent-encoded pairs, sorted. */
export const canonicalQuery = (parameters: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encode(name)}=${encode(value)}`]))
    .sort()
    .join("&");

/** Signs an image's file name and canonical query; base64url without padding. */
export const signImage = async (secret: string, file: string, canonical: string): Promise<string> =>
  uint8ArrayToBase64(await hmacSha256(secret, `${PURPOSE}\n${file}\n${canonical}`), { urlSafe: true });

/** Compares text, since several base64 texts decode to the same bytes. */
export const isSignedBy = async (
  secret: string,
  { file, query, signature }: Pick<ImageLink, "file" | "query" | "signature">,
): Promise<boolean> =>
  equalsInConstantTime(
    encoder.encode(signature),
    encoder.encode(await signImage(secret, file, canonicalQuery(query))),
  );

/** A well-formed, unverified image URL. */
export interface ImageLink {
  readonly signature: string;
  readonly file: string;
  readonly sizeId: string;
  readonly format: ImageFormat;
  readonly query: ImageUrlQuery;
  readonly expiresAtMs: number | null;
}

const SIGNATURE = /^[A-Za-z0-9_-]{43}$/;
const FILE = /^([a-z0-9-]{1,64})\.([a-z]{3,4})$/;
const SECONDS = /^[1-9][0-9]{0,10}$/;

const isFormat = (text: string): text is ImageFormat => Object.hasOwn(IMAGE_TYPES, text);

/** 403 LINK_INVALID: malformed, unsigned, or signed with another secret. */
export const linkInvalid = () =>
  refuse("LINK_INVALID", "The image URL is altered, incomplete or expired, or its secret was revoked.", {
    nextAction: "Sign a new URL with a secret of the workspace that is not revoked.",
  });

/** Parses an image URL without any read. 403 LINK_INVALID for a malformed or expired one. */
export function readImageLink(
  { signature, file }: { readonly signature: string; readonly file: string },
  query: ImageUrlQuery,
  nowMs: number,
): Outcome<ImageLink> {
  const [, sizeId, format] = FILE.exec(file) ?? [];
  if (!SIGNATURE.test(signature) || sizeId === undefined || format === undefined || !isFormat(format)) {
    return linkInvalid();
  }
  if (query.exp !== undefined && !SECONDS.test(query.exp)) return linkInvalid();
  const expiresAtMs = query.exp === undefined ? null : Number(query.exp) * 1_000;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return linkInvalid();
  return accept({ signature, file, sizeId, format, query, expiresAtMs });
}

/**
 * Identifies a workspace's image by a SHA-256. Excludes secret and expiry, so that another secret or a later expiry
 * shows the image that was paid for.
 */
export const hashImage = (
  workspaceId: string,
  { file, query: { key: _key, exp: _exp, ...parameters } }: Pick<ImageLink, "file" | "query">,
): Promise<string> => sha256Hex(`${PURPOSE}\n${workspaceId}\n${file}\n${canonicalQuery(parameters)}`);

/** Versions of the contract `campaign`, newest first. */
const CAMPAIGNS = CONTRACTS.filter(({ contractId }) => contractId.startsWith("campaign."));

/**
 * The contract of an image that names none: the oldest campaign version with the size, so that new versions do not
 * change the image. For an unknown size, the newest version, whose error names the nearest size.
 */
const contractOf = (sizeId: string): string | undefined => {
  const listing = CAMPAIGNS.filter(({ sizes }) => sizes.some((size) => size.sizeId === sizeId));
  return (listing.at(-1) ?? CAMPAIGNS[0])?.contractId;
};

/** The parameters of the link that have one of these names. */
const given = <Name extends keyof ImageParameters>(parameters: ImageParameters, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (name in parameters ? [[name, parameters[name]]] : [])));

/** The job request of an image. 400 INVALID_REQUEST for an invalid parameter. */
export function orderOfImage(
  sizeId: string,
  outputFormat: ImageFormat,
  parameters: ImageParameters,
): Outcome<CreateJobRequest> {
  const contractId = parameters.contractId ?? contractOf(sizeId);
  const numbers = IMAGE_NUMBERS.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, /^[0-9]$/.test(value) ? Number(value) : value]];
  });
  const read = createJobSchema.safeParse({
    ...given(parameters, IMAGE_CHOICES),
    ...Object.fromEntries(numbers),
    ...{ contractId, outputFormat, selectedSizeIds: [sizeId] },
    assetIds: given(parameters, SLOT_IDS),
    copy: given(parameters, IMAGE_WORDS),
    brand: given(parameters, IMAGE_COLOURS),
  });
  if (read.success) {
    const { assets: _byAddress, assetIds = {}, ...order } = read.data;
    return accept({ ...order, assetIds });
  }
  const [issue] = read.error.issues;
  return refuseMember("query", String(issue?.path.at(-1) ?? "query"), issue?.message ?? "is not valid");
}
