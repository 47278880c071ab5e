import { stripVTControlCharacters } from "node:util";
import { runTool } from "../local/tool.ts";
import { bad, type Check, good } from "./check.ts";

/** A check that runs another tool and uses its exit code. */
export const toolCheck = (
  name: string,
  tool: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Check => ({
  name,
  run: async () => {
    const { code, output } = await runTool(tool, parameters, { NO_COLOR: "1", ...environment });
    return code === 0 ? good() : bad(stripVTControlCharacters(output).trim());
  },
});
