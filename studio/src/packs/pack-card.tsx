import { Link } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Moment } from "#ui/moment.tsx";
import { FilePicture } from "./file-picture.tsx";

/** A pack in the list: a picture of it, what it says, how many sizes, and how long its files are kept. */
export function PackCard({ pack }: { readonly pack: ArtifactSummary }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { artifactId, status, sizeCount, motion, headline, thumbnail, createdAt, expiresAt } = pack;
  return (
    <Link
      to="/w/$workspaceId/packs/$artifactId"
      params={{ workspaceId, artifactId }}
      className="group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card text-sm hover:border-strong-line"
    >
      <span className="flex h-44 items-center justify-center bg-sunk p-4">
        {thumbnail !== null && (
          <FilePicture artifactId={artifactId} file={thumbnail} alt="" isPlaying={false} fit="contain" />
        )}
      </span>
      <span className="flex flex-1 flex-col gap-1 p-4">
        <span className="line-clamp-2 font-medium break-words group-hover:underline">
          {headline ?? t("noHeadline")}
        </span>
        <span className="flex flex-wrap items-center gap-2 text-quiet">
          {t("sizes", { count: sizeCount })} · <Moment at={createdAt} />
          {motion === "animated" && <Badge>{t("animated")}</Badge>}
        </span>
        <span className="mt-auto pt-1 text-xs text-quiet">
          {status === "ready" ? (
            <>
              {t("expires")} <Moment at={expiresAt} hasTime={false} />
            </>
          ) : (
            t("expired")
          )}
        </span>
      </span>
    </Link>
  );
}
