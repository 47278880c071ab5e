/** Table parser for the Studio. Not exported by the package, so it may change in any version. */

export { inParallel } from "../packs/download-pack.ts";
export { ASSET_FIELDS, COPY_FIELDS } from "./pack-fields.ts";
export { columnName, parseTable } from "./rows/parse-table.ts";
