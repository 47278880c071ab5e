import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { Artifact, ArtifactFile } from "creative-packs";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Menu } from "#ui/menu.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading, Page } from "#ui/page.tsx";
import { RenameDialog } from "#ui/rename.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import { StateBadge } from "./pack-card.tsx";
import { PackGallery, PackSummary } from "./pack-gallery.tsx";
import { packQuery, refreshPacks, renamePack, versionsQuery } from "./pack-queries.ts";
import { PackReviews } from "./pack-reviews.tsx";
import { PackVersions } from "./pack-versions.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** A pack: its files with verdicts, and actions to download, send and share it. */
export function PackPage() {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const { artifactId } = useParams({ from: "/w/$workspaceId/packs/$artifactId" });
  const { data: pack, error, isPending } = useQuery(packQuery(workspaceId, artifactId));
  const { data: history } = useQuery({
    ...versionsQuery(workspaceId, pack?.jobId ?? ""),
    enabled: pack !== undefined,
  });
  const [open, setOpen] = useState<"rename" | "send" | "share" | null>(null);
  const endSharing = (): void => {
    setOpen(null);
    void refreshPacks(workspaceId);
  };
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
  const orderAgain = (search: { readonly version?: true }) => () =>
    void navigate({
      to: "/w/$workspaceId/create",
      params: { workspaceId },
      search: { draft: "new", from: pack.jobId, ...search },
    });
  const headline = headlineOf(pack) ?? t("noHeadline");
  const job = history?.job;
  const title = job?.name ?? headline;
  const actions = isKept && (
    <>
      <DownloadMenu pack={pack} />
      <Button onClick={() => setOpen("share")}>{t("pack.share")}</Button>
    </>
  );
  const menu = (isKept || isOwner) && (
    <Menu label={t("menu.label", { name: title })} text={<Ellipsis size={18} />}>
      {isOwner && (
        <>
          {job !== undefined && <Menu.Item onClick={() => setOpen("rename")}>{t("menu.rename")}</Menu.Item>}
          <Menu.Item onClick={orderAgain({ version: true })}>{t("pack.again")}</Menu.Item>
          <Menu.Item onClick={orderAgain({})}>{t("menu.copyToDraft")}</Menu.Item>
        </>
      )}
      {isKept && <Menu.Item onClick={() => setOpen("send")}>{t("pack.send")}</Menu.Item>}
    </Menu>
  );
  const dates = (
    <>
      {job !== undefined && (
        <span className="max-sm:mb-1 max-sm:block sm:mr-2.5">
          <StateBadge state={job.approval} />
        </span>
      )}
      <Moment at={createdAt} /> · {isKept ? t("pack.kept") : t("expires")}{" "}
      <Moment at={expiresAt} hasTime={false} />
      &nbsp;{isKept && <PackSummary pack={pack} />}
    </>
  );
  return (
    <Page title={title} lead={dates} aside={menu} actions={actions} isWide>
      {history !== undefined && history.versions.length > 1 && (
        <PackVersions pack={pack} versions={history.versions} />
      )}
      <PackReviews pack={pack} />
      {isKept ? <PackGallery pack={pack} /> : <p className="text-sm">{t("pack.gone")}</p>}
      {open === "send" && <SendDialog artifactId={artifactId} onClose={() => setOpen(null)} />}
      {open === "rename" && (
        <RenameDialog
          name={job?.name ?? ""}
          fallback={headline}
          onRename={(name) => renamePack(workspaceId, pack.jobId, name)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "share" && <ShareDialog pack={pack} onClose={endSharing} />}
    </Page>
  );
}

/** The headline as it appears in a file; null if it has none. */
const headlineOnFile = ({ layout }: ArtifactFile): string | null =>
  layout.elements.find(({ role }) => role === "headline")?.lines?.join(" ") ?? null;

/** The pack's headline: the longest version that any of its files shows. */
const headlineOf = ({ files }: Artifact): string | null =>
  files
    .map(headlineOnFile)
    .filter((headline) => headline !== null)
    .sort((a, b) => b.length - a.length)[0] ?? null;
