import { afterEach } from "vitest";
import { reportTrust } from "../trust/report.ts";
import { takeMoves } from "./move-between-requests.ts";

/** Tells the table of `npm run test:trust` how often workspaces moved between a test's requests. */
afterEach(({ task }) => {
  const moves = takeMoves();
  if (moves > 0) reportTrust(task, { counts: { moves } });
});
