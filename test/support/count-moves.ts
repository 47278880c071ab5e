import { afterEach } from "vitest";
import { reportStress } from "../stress/report.ts";
import { takeMoves } from "./move-between-requests.ts";

/** Reports to the table of `npm run test:stress` how often workspaces moved between a test's requests. */
afterEach(({ task }) => {
  const moves = takeMoves();
  if (moves > 0) reportStress(task, { counts: { moves } });
});
