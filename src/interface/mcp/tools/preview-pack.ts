import { z } from "zod";
import { accept } from "#api/errors.ts";
import { previewSchema } from "#api/schemas/preview.ts";
import { presentPreview } from "#domains/previews/create-preview.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, previewDeps } from "#interface/http/operation-deps.ts";
import { drawPreview } from "#operations/draw-preview.ts";
import { newId } from "#platform/ids.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { withNearestSizes } from "../nearest-sizes.ts";
import { previewArguments, SHOWN_PREVIEW_ARGUMENTS } from "../pack-arguments.ts";
import { defineTool } from "../tool.ts";

const { image, ...shown } = previewSchema.shape;

export const previewPackTool = defineTool({
  name: "preview_pack",
  title: "Preview a pack",
  description:
    "Draws the first of selectedSizeIds as a protected PNG, with its layout report and facts of the paid file. Look at " +
    "it before create_pack, and after each change. Costs no credits, but counts as one of the day's previews " +
    "if it is new.",
  scope: "previews:write",
  // The preview allowances count the call.
  windows: [],
  needs: ["storage", "idempotency", "previewQuota"],
  annotations: ADDS_ONCE,
  input: previewArguments,
  shownInput: z.object(SHOWN_PREVIEW_ARGUMENTS),
  output: z.object({ ...shown, image: image.omit({ base64: true }) }),
  run: async (c, request) => {
    // Identical previews are found by content, so each call may have a new Idempotency-Key.
    const shown = await drawPreview(previewDeps(c), callerOf(c), request, newId());
    const drawn = withNearestSizes(shown, request);
    if (!drawn.ok) return drawn;
    const { image: picture, ...preview } = presentPreview(shownEffect(c, drawn.value).value);
    const { base64, ...facts } = picture;
    return accept({
      output: { ...preview, image: facts },
      blocks: [{ type: "image", data: base64, mimeType: picture.contentType }],
    });
  },
});
