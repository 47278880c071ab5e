import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Artifact, ArtifactFile } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading, Page } from "#ui/page.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import { PackGallery } from "./pack-gallery.tsx";
import { packQuery } from "./pack-queries.ts";
import { PackReviews } from "./pack-reviews.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** A pack: its files with verdicts, and the ways to take, send and share them. */
export function PackPage() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { artifactId } = useParams({ from: "/w/$workspaceId/packs/$artifactId" });
  const { data: pack, error, isPending } = useQuery(packQuery(workspaceId, artifactId));
  const [open, setOpen] = useState<"send" | "share" | null>(null);
  if (isPending) return <Loading />;
  if (pack === undefined) {
    return (
      <Page title={t("title")}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  const { createdAt, expiresAt } = pack.manifest;
  const isKept = pack.status === "ready";
  const actions = (
    <>
      {isOwner && (
        <Link
          to="/w/$workspaceId/create"
          params={{ workspaceId }}
          search={{ from: pack.jobId }}
          className={buttonStyle("secondary")}
        >
          {t("pack.again")}
        </Link>
      )}
      {isKept && (
        <>
          <Button onClick={() => setOpen("send")}>{t("pack.send")}</Button>
          <Button onClick={() => setOpen("share")}>{t("pack.share")}</Button>
          <DownloadMenu pack={pack} />
        </>
      )}
    </>
  );
  const dates = (
    <>
      {t("pack.made")} <Moment at={createdAt} /> · {t("pack.kept")} <Moment at={expiresAt} hasTime={false} />
    </>
  );
  return (
    <Page title={headlineOf(pack) ?? t("noHeadline")} lead={dates} actions={actions}>
      <PackReviews pack={pack} />
      {isKept ? <PackGallery pack={pack} /> : <p className="text-sm">{t("pack.gone")}</p>}
      {open === "send" && <SendDialog artifactId={artifactId} onClose={() => setOpen(null)} />}
      {open === "share" && <ShareDialog pack={pack} onClose={() => setOpen(null)} />}
    </Page>
  );
}

/** The headline as it stands on a file; null where it has none. */
const headlineOnFile = ({ layout }: ArtifactFile): string | null =>
  layout.elements.find(({ role }) => role === "headline")?.lines?.join(" ") ?? null;

/** What a pack says: the longest headline that any of its files has room for. */
const headlineOf = ({ files }: Artifact): string | null =>
  files
    .map(headlineOnFile)
    .filter((headline) => headline !== null)
    .sort((a, b) => b.length - a.length)[0] ?? null;
