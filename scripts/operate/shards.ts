/**
 * Manages databases for workspaces besides DB: npm run shards -- list | add | move <workspace> | moves | rebalance
 * (--help lists all)
 */

import { readInvocation } from "./shards/command-line.ts";
import { runCommand } from "./workspace/run-command.ts";

await runCommand(readInvocation);
