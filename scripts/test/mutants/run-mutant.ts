import { runTool } from "../../local/tool.ts";
import type { TestPart } from "../parts.ts";
import type { MutatedModule } from "./modules.ts";
import type { Mutant } from "./mutant-plugin.ts";

/** Which tests notice a mutant: those of `npm test`, those of `npm run test:long` alone, or none. */
export type MutantResult = "killed" | "killed by long tests" | "survived";

/** Many times what a module's tests take; a mutant that runs longer loops, and counts as killed. */
const RUN_MS_MAX = 15 * 60_000;

/** Runs a module's tests against a mutant; the long ones only if the short ones pass. */
export async function runMutant(mutant: Mutant, module: MutatedModule): Promise<MutantResult> {
  if (await failsIn("short", mutant, module)) return "killed";
  return (await failsIn("long", mutant, module)) ? "killed by long tests" : "survived";
}

/** Whether a module's tests of a part fail, with a mutant or, to see that they pass, without. */
export async function failsIn(
  part: TestPart,
  mutant: Mutant | null,
  { tests }: MutatedModule,
): Promise<boolean> {
  // Vitest's cache of transformed modules knows a file by its text on the disk, which has no mutant.
  const parameters = ["run", "--project=unit", "--project=integration", "--fsModuleCache=false", ...tests];
  const { code } = await runTool(
    "vitest",
    [...parameters, "--bail=1", "--passWithNoTests", "--reporter=dot", "--silent=true"],
    { TEST_PART: part, ...(mutant === null ? {} : { MUTANT: JSON.stringify(mutant) }) },
    RUN_MS_MAX,
  );
  return code !== 0;
}
