import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { RefusalDetails } from "#api/schemas/error-details.ts";
import { isVisible } from "#api/schemas/primitives.ts";
import type { CreateUploadBody } from "#api/schemas/upload.ts";
import { MIME_TYPES, type MimeType, SLOT_IDS, SLOTS, type SlotId } from "#api/slots.ts";
import { findSizeProblem, kindOf } from "./pixel-rules.ts";
import type { IntendedFile } from "./store.ts";

const invalid = (
  field: string,
  message: string,
  allowed: Pick<RefusalDetails, "accepts" | "minimum" | "maximum" | "pixels" | "limit" | "largest"> = {},
): Refusal => refuse("UPLOAD_INTENT_INVALID", message, { field, ...allowed });

/** The rule that a file name breaks, or null. Names are displayed and sent in headers, never used as paths. */
export function findFileNameProblem(fileName: string): string | null {
  const characters = [...fileName].length;
  if (characters < 1 || characters > LIMITS.fileNameCharactersMax) {
    return `fileName has ${characters} characters; it must have 1 to ${LIMITS.fileNameCharactersMax}.`;
  }
  if (/[/\\]/.test(fileName))
    return "fileName must not contain `/` or `\\`: give the name without its folder.";
  if (/\p{Cc}/u.test(fileName)) return "fileName must not contain control characters.";
  // Lone surrogates have no UTF-8. U+202A–202E and U+2066–2069 can fake a file extension.
  if (/[\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(fileName)) {
    return "fileName must be well-formed text without direction overrides.";
  }
  if (/^\.{1,2}$/.test(fileName) || !isVisible(fileName)) return "fileName must name a file.";
  return null;
}

const isPositiveInteger = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/** Declared width and height: none for fonts, required for rasters, optional for SVG. */
function validateDeclaredSize(body: CreateUploadBody, slotId: SlotId, mimeType: MimeType): Refusal | null {
  const { width, height } = body;
  const kind = kindOf(mimeType);
  if (kind === "font") {
    return width === undefined && height === undefined
      ? null
      : invalid(width === undefined ? "height" : "width", "A font must not carry width or height.");
  }
  if (width === undefined || height === undefined) {
    if (kind === "vector" && width === undefined && height === undefined) return null;
    return invalid(
      width === undefined ? "width" : "height",
      "A picture needs both width and height in pixels.",
    );
  }
  for (const [field, value] of [
    ["width", width],
    ["height", height],
  ] as const) {
    if (!isPositiveInteger(value)) {
      return invalid(field, `${field} must be a whole number of at least 1.`, { minimum: 1 });
    }
  }
  const problem = findSizeProblem(slotId, kind, width, height);
  if (!problem) return null;
  const [shorter, longer] = width < height ? ["width", "height"] : ["height", "width"];
  const { code, message, bound } = problem;
  return invalid(code === "TOO_SMALL" ? shorter : longer, message, bound);
}

/** The slot with this id, or 400 UPLOAD_INTENT_INVALID. */
export function findSlot(slotId: string): Outcome<SlotId> {
  const found = SLOT_IDS.find((known) => known === slotId);
  if (found !== undefined) return accept(found);
  return invalid("slotId", `slotId must be one of ${SLOT_IDS.join(", ")}.`, { accepts: SLOT_IDS });
}

/** A valid file name, or 400 UPLOAD_INTENT_INVALID. */
export function validateFileName(fileName: string): Outcome<string> {
  const problem = findFileNameProblem(fileName);
  return problem === null ? accept(fileName) : invalid("fileName", problem);
}

/** Checks a declared file against its slot; 400 UPLOAD_INTENT_INVALID names the rule and its numbers. */
export function validateIntent(body: CreateUploadBody): Outcome<IntendedFile> {
  const slot = findSlot(body.slotId);
  if (!slot.ok) return slot;
  const slotId = slot.value;
  const { accepts } = SLOTS[slotId];
  const mimeType = MIME_TYPES.find((known) => known === body.mimeType);
  if (mimeType === undefined || !accepts.includes(mimeType)) {
    return invalid("mimeType", `\`${slotId}\` takes ${accepts.join(", ")}.`, { accepts });
  }
  const fileName = validateFileName(body.fileName);
  if (!fileName.ok) return fileName;
  const { byteLength } = body;
  if (!isPositiveInteger(byteLength) || byteLength > LIMITS.uploadBytesMax) {
    return invalid(
      "byteLength",
      `byteLength is ${byteLength}; it must be a whole number from 1 to ${LIMITS.uploadBytesMax}.`,
      { minimum: 1, maximum: LIMITS.uploadBytesMax },
    );
  }
  const sizeProblem = validateDeclaredSize(body, slotId, mimeType);
  if (sizeProblem) return sizeProblem;
  return accept({
    slotId,
    fileName: body.fileName,
    mimeType,
    byteLength,
    width: body.width ?? null,
    height: body.height ?? null,
  });
}
