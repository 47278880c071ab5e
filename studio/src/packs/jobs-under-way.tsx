import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Moment } from "#ui/moment.tsx";
import { jobsUnderWayQuery } from "./pack-queries.ts";

/** Orders that are being drawn, and the newest that failed; nothing where there are none. */
export function JobsUnderWay() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data: jobs = [] } = useQuery(jobsUnderWayQuery(workspaceId));
  if (jobs.length === 0) return null;
  return (
    <section aria-labelledby="under-way" className="flex flex-col gap-2">
      <h2 id="under-way" className="text-base font-semibold">
        {t("under.title")}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-card text-sm">
        {jobs.map(({ jobId, status, progress, createdAt }) => (
          <li key={jobId} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <Moment at={createdAt} />
            <span className="flex items-center gap-3">
              <Badge tone={status === "failed" ? "bad" : "plain"}>
                {status === "running" ? t("under.running", { ...progress }) : t(`under.${status}`)}
              </Badge>
              {status === "failed" && isOwner && (
                <Link
                  to="/w/$workspaceId/create"
                  params={{ workspaceId }}
                  search={{ from: jobId }}
                  className="text-accent underline underline-offset-2"
                >
                  {t("under.again")}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
