import { z } from "zod";
import { accept } from "../../api/errors.ts";
import { LIMITS } from "../../api/limits.ts";
import { assetListQuery, assetSchema } from "../../api/schemas/asset.ts";
import { strictBody } from "../../api/schemas/strict-body.ts";
import { SLOT_IDS, SLOTS } from "../../api/slots.ts";
import { presentAsset } from "../../assets/asset.ts";
import { newId } from "../../platform/ids.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { readInlineFile } from "../inline-file.ts";
import { keepInlineFile } from "../keep-inline-file.ts";
import { defineTool } from "../tool.ts";

const slotGuidance = SLOT_IDS.map((slotId) => `${slotId}: ${SLOTS[slotId].guidance}`).join(" ");

const input = strictBody({
  slotId: assetListQuery.shape.slotId.unwrap().describe(`What the file will be used as. ${slotGuidance}`),
  fileName: z.string().describe("A name with its ending, as `beach.jpg`."),
  base64: z
    .string()
    .describe(`The file itself, at most ${LIMITS.agentFileBytesMax} bytes before it is encoded.`),
  idempotencyKey: z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyCharactersMax)
    .optional()
    .describe("Your own name for this import; repeated with it, the same file is kept once."),
});

export const importAssetTool = defineTool({
  name: "import_asset",
  title: "Import a picture, logo or font",
  description:
    "Keeps a small file as an asset that packs can be drawn from, and answers with its assetId. PNG, JPEG, WebP, SVG, " +
    "OpenType and TrueType, as its slot takes them; size and type are read from the file. Free.",
  scope: "assets:write",
  windows: ["write", "upload-bytes"],
  needs: ["storage", "idempotency"],
  annotations: ADDS_ONCE,
  input,
  output: assetSchema,
  run: async (c, { slotId, fileName, base64, idempotencyKey = newId() }) => {
    const file = readInlineFile(base64);
    if (!file.ok) return file;
    const kept = await keepInlineFile(c, { slotId, fileName, file: file.value, idempotencyKey });
    return kept.ok ? accept({ output: presentAsset(kept.value) }) : kept;
  },
});
