import { z } from "zod";
import { artifactSchema } from "#api/schemas/artifact.ts";

/** JSON Schema (2020-12) of `manifest.json`, the API's representation of an artifact. */
export const manifestSchema = (): object => ({
  ...z.toJSONSchema(artifactSchema, { target: "draft-2020-12" }),
  title: "Creative pack manifest",
});
