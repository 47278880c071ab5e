import { toolCheck } from "./tool-check.ts";

/** Whether the committed files of schema/, and the collection made of it, are what the source says. */
export const checkGeneratedFiles = toolCheck("schema/ in step with the source", "node", [
  "scripts/make/openapi.ts",
  "--check",
]);

/** Whether the tables and drawings of the documents are what the source says. */
export const checkApiTables = toolCheck("tables and drawings of docs/", "node", [
  "scripts/make/api-tables.ts",
  "--check",
]);

/** Whether the description of the interface is sound OpenAPI. */
export const checkDescription = toolCheck("OpenAPI description", "redocly", ["lint", "schema/openapi.json"], {
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_TELEMETRY: "off",
});

/** Whether the compiled kernels are what their source says. */
export const checkKernels = toolCheck("kernels in step with the source", "node", [
  "scripts/make/kernels.ts",
  "--check",
]);

/** Whether the committed weights of the face detector are what the package gives. */
export const checkFaceWeights = toolCheck("face detector in step with its package", "node", [
  "scripts/make/face-weights.ts",
  "--check",
]);

/** Whether the committed shaper is what the package gives, metered. */
export const checkShaper = toolCheck("shaper in step with its package", "node", [
  "scripts/make/shaper.ts",
  "--check",
]);

/** Whether the index and the hashes of the font library are what the packages give. */
export const checkFonts = toolCheck("font library in step with its packages", "node", [
  "scripts/make/fonts.ts",
  "--check",
]);

/** Whether the committed templates of mails are what their source says. */
export const checkMailTemplates = toolCheck("templates of mails in step with their source", "node", [
  "scripts/make/mail.ts",
  "--check",
]);
