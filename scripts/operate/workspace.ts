/** The operator's commands on workspaces, grants and keys: npm run workspace -- <command> (--help lists them) */

import { readInvocation } from "./workspace/command-line.ts";
import { explain } from "./workspace/operator-database.ts";
import { runCommand } from "./workspace/run-command.ts";

await runCommand(readInvocation, explain);
