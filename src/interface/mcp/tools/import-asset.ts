import type { Context } from "hono";
import { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { assetListQuery, assetSchema, importAssetSchema } from "#api/schemas/asset.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { SLOT_IDS, SLOTS } from "#api/slots.ts";
import { type Asset, presentAsset } from "#domains/assets/asset.ts";
import type { IdempotentResult } from "#domains/idempotency/with-idempotency.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, completionDeps, importDeps } from "#interface/http/operation-deps.ts";
import { countRequest } from "#interface/http/rate-limit.ts";
import { importAsset } from "#operations/import-asset.ts";
import { keepFile } from "#operations/keep-file.ts";
import { newId } from "#platform/ids.ts";
import { ADDS_ONCE } from "../annotations.ts";
import { readInlineFile } from "../inline-file.ts";
import { defineTool } from "../tool.ts";

/** The contracts' guidance has the full text. */
const firstSentence = (text: string): string => text.replace(/[.;] .*/, ".");

const slotGuidance = SLOT_IDS.map((slotId) => `${slotId}: ${firstSentence(SLOTS[slotId].guidance)}`).join(
  " ",
);

const input = strictBody({
  slotId: assetListQuery.shape.slotId.unwrap().describe(`Use of the file. ${slotGuidance}`),
  fileName: z.string().optional().describe("With its extension: beach.jpg."),
  url: importAssetSchema.shape.url.optional().describe("Public https address. Give this or base64."),
  base64: z.string().optional().describe(`At most ${LIMITS.agentFileBytesMax} bytes before it is encoded.`),
  idempotencyKey: z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyCharactersMax)
    .optional()
    .describe("Calls with the same key store one file."),
});

type Input = z.infer<typeof input>;

/** Imports the file from its URL, like the API. */
async function importFrom(
  c: Context<AppEnv>,
  url: string,
  asked: Input,
): Promise<Outcome<IdempotentResult<Asset>>> {
  const { slotId, fileName, idempotencyKey = newId() } = asked;
  const body = { slotId, url, ...(fileName !== undefined && { fileName }) };
  return importAsset(importDeps(c), callerOf(c), body, idempotencyKey);
}

/** Stores the message's file. Counts as an upload. */
async function keep(
  c: Context<AppEnv>,
  base64: string,
  asked: Input,
): Promise<Outcome<IdempotentResult<Asset>>> {
  if (!c.get("isCountedUpload")) await countRequest(c, "upload-bytes", c.get("principal").countedAs, false);
  const file = readInlineFile(base64);
  if (!file.ok) return file;
  const { slotId, fileName = slotId, idempotencyKey = newId() } = asked;
  const kept = { slotId, fileName, ...file.value, idempotencyKey };
  return keepFile(completionDeps(c), callerOf(c), kept);
}

export const importAssetTool = defineTool({
  name: "import_asset",
  title: "Import a picture, logo or font",
  description:
    "Creates an asset and returns its assetId: from an https address, which is fetched after the answer (call " +
    "list_assets until its status is ready or rejected), or a small one as base64, ready at once. PNG, JPEG, WebP, SVG, " +
    "OpenType, TrueType. Free.",
  scope: "assets:write",
  windows: ["write"],
  needs: ["storage", "idempotency"],
  annotations: { ...ADDS_ONCE, openWorldHint: true },
  input,
  output: assetSchema,
  run: async (c, asked) => {
    const { url, base64 } = asked;
    if ((url === undefined) === (base64 === undefined)) {
      const message = "Give either the url of the file or its base64.";
      return refuse("INVALID_REQUEST", message, { issues: [{ in: "body", path: "url", message }] });
    }
    const imported = url === undefined ? await keep(c, base64 ?? "", asked) : await importFrom(c, url, asked);
    return imported.ok ? accept({ output: presentAsset(shownEffect(c, imported.value).value) }) : imported;
  },
});
