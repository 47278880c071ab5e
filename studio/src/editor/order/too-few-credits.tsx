import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { serviceQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";

interface TooFewCreditsProps {
  readonly available: number;
  readonly required: number;
}

/** Says that credits are too few, and the ways on: to the page where they are bought, or to the operator. */
export function TooFewCredits({ available, required }: TooFewCreditsProps) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data: service } = useQuery(serviceQuery);
  if (service === undefined) return t("order.shortAlone", { available, required });
  if (!service.billing) return t("order.short", { available, required });
  return (
    <>
      {t("order.shortBuy", { available, required })}{" "}
      <Link
        to="/w/$workspaceId/billing"
        params={{ workspaceId }}
        className="font-medium text-accent underline underline-offset-2"
      >
        {t("order.buy")}
      </Link>
    </>
  );
}
