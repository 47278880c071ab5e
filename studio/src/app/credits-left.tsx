import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { balanceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "./workspace.ts";

/** What the workspace can spend now; a way to the ledger. */
export function CreditsLeft() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(balanceQuery(workspaceId));
  if (data === undefined) return null;
  const { accessType, credits, subscription } = data;
  const count = credits.available + (subscription?.quota.remaining ?? 0);
  return (
    <Link
      to="/w/$workspaceId/usage"
      params={{ workspaceId }}
      title={t("credits.label")}
      className="rounded-full border border-line px-3 py-1 text-sm tabular-nums hover:border-strong-line"
    >
      {accessType === "unlimited" ? t("credits.unlimited") : t("credits.left", { count })}
    </Link>
  );
}
