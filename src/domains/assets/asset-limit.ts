import { type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";

const DAY_MS = 24 * 60 * 60_000;

/** 409 ASSET_LIMIT_REACHED, for a failed guard `asset_limit`. */
export function assetLimitReached(workspaceKind: "standard" | "trial"): Refusal {
  const { [workspaceKind]: assetsMax, unpaid: assetsUnpaidMax } = LIMITS.assetsPerWorkspaceMax;
  const { [workspaceKind]: rowsMax, unpaid: rowsUnpaidMax } = LIMITS.assetRowsPerWorkspaceMax;
  const days = LIMITS.deadAssetRetentionMs / DAY_MS;
  const megabytes = LIMITS.assetBytesUnpaidMax / 1_048_576;
  return refuse(
    "ASSET_LIMIT_REACHED",
    `The workspace keeps at most ${assetsMax} assets at a time, and ${rowsMax} with those deleted or rejected in the ` +
      `last ${days} days; ${assetsUnpaidMax}, ${rowsUnpaidMax} and ${megabytes} MiB in all while it never had paid ` +
      "access. An import counts as the largest file until it has ended.",
  );
}
