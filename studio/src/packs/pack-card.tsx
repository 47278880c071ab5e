import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import Ellipsis from "lucide-react/icons/ellipsis";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { deleteDraft, duplicateDraft, renameDraft } from "#editor/draft/drafts.ts";
import { nameOfDraft } from "#editor/draft/editor-store.ts";
import { fileQuery } from "#editor/draft/file-bytes.ts";
import type { ListedDraft } from "#editor/draft/kept-draft.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Menu } from "#ui/menu.tsx";
import { Moment } from "#ui/moment.tsx";
import { RenameDialog } from "#ui/rename.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { FilePicture } from "./file-picture.tsx";
import { type PackState, renamePack } from "./pack-queries.ts";

const TONES = {
  draft: "plain",
  none: "plain",
  in_review: "warning",
  changes_requested: "bad",
  approved: "good",
} as const;

/** How far a pack is. */
export function StateBadge({ state }: { readonly state: PackState }) {
  const { t } = useTranslation("packs");
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>;
}

interface CardProps {
  readonly title: string;
  readonly state: PackState;
  readonly picture: ReactNode;
  readonly facts: ReactNode;
  /** Makes the card a link. */
  readonly link: (content: ReactNode, className: string) => ReactNode;
  /** What can be done with it; null for nothing. */
  readonly menu: ReactNode;
}

/** A draft or a pack in the list: picture, name, state, and a menu over its corner. */
function Card({ title, state, picture, facts, link, menu }: CardProps) {
  const { t } = useTranslation("packs");
  const content = (
    <>
      <span className="flex h-44 items-center justify-center bg-sunk p-4">{picture}</span>
      <span className="flex flex-1 flex-col items-start gap-1.5 p-4">
        <StateBadge state={state} />
        <span className="line-clamp-2 font-medium break-words group-hover:underline">{title}</span>
        {facts}
      </span>
    </>
  );
  return (
    <li className="relative">
      {link(
        content,
        "group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card text-sm hover:border-strong-line",
      )}
      {menu !== null && (
        <div className="absolute top-2 right-2 rounded-md bg-card/90">
          <Menu label={t("menu.label", { name: title })} text={<Ellipsis size={18} aria-hidden="true" />}>
            {menu}
          </Menu>
        </div>
      )}
    </li>
  );
}

/** A finished pack in the list. */
export function PackCard({ pack }: { readonly pack: ArtifactSummary }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const [isRenaming, setIsRenaming] = useState(false);
  const { artifactId, jobId, status, sizeCount, motion, thumbnail, createdAt, expiresAt } = pack;
  const fallback = pack.headline ?? t("noHeadline");
  const again = (search: { readonly version?: true }) => () =>
    void navigate({
      to: "/w/$workspaceId/create",
      params: { workspaceId },
      search: { draft: "new", from: jobId, ...search },
    });
  return (
    <>
      <Card
        title={pack.name ?? fallback}
        state={pack.approval}
        picture={
          thumbnail !== null && (
            <FilePicture artifactId={artifactId} file={thumbnail} alt="" isPlaying={false} fit="contain" />
          )
        }
        facts={
          <>
            <span className="flex flex-wrap items-center gap-2 text-quiet">
              {t("sizes", { count: sizeCount })} · <Moment at={createdAt} />
              {motion === "animated" && <Badge>{t("animated")}</Badge>}
            </span>
            <span className="mt-auto text-xs text-quiet">
              {status === "ready" ? t("expires") : t("expired")}{" "}
              {status === "ready" && <Moment at={expiresAt} hasTime={false} />}
            </span>
          </>
        }
        link={(content, className) => (
          <Link
            to="/w/$workspaceId/packs/$artifactId"
            params={{ workspaceId, artifactId }}
            className={className}
          >
            {content}
          </Link>
        )}
        menu={
          isOwner ? (
            <>
              <Menu.Item onClick={() => setIsRenaming(true)}>{t("menu.rename")}</Menu.Item>
              <Menu.Item onClick={again({ version: true })}>{t("pack.again")}</Menu.Item>
              <Menu.Item onClick={again({})}>{t("menu.copyToDraft")}</Menu.Item>
            </>
          ) : null
        }
      />
      {isRenaming && (
        <RenameDialog
          name={pack.name ?? ""}
          fallback={fallback}
          onRename={(name) => renamePack(workspaceId, jobId, name)}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </>
  );
}

/** A draft of this browser in the list. */
export function DraftCard({ draft, scope }: { readonly draft: ListedDraft; readonly scope: string }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const { draftId, history, updatedAt } = draft;
  const { media, product, background, logo } = history.present.files;
  const { data } = useQuery(fileQuery(draftId, (media ?? product ?? background ?? logo)?.sha256 ?? ""));
  const address = useBlobUrl(data?.thumbnail ?? null);
  const close = (): void => setDialog(null);
  const fallback = nameOfDraft({ name: "", history }) || t("untitled");
  const title = draft.name || fallback;
  return (
    <>
      <Card
        title={title}
        state="draft"
        picture={
          address !== null && <img src={address} alt="" className="max-h-full max-w-full object-contain" />
        }
        facts={
          <span className="text-quiet">
            {t("sizes", { count: history.present.sizeIds.length })} ·{" "}
            <Moment at={new Date(updatedAt).toISOString()} />
          </span>
        }
        link={(content, className) => (
          <Link
            to="/w/$workspaceId/create"
            params={{ workspaceId }}
            search={{ draft: draftId.slice(scope.length + 1) }}
            className={className}
          >
            {content}
          </Link>
        )}
        menu={
          <>
            <Menu.Item onClick={() => setDialog("rename")}>{t("menu.rename")}</Menu.Item>
            <Menu.Item onClick={() => void duplicateDraft(scope, draft, t("copyOf", { name: title }))}>
              {t("menu.duplicate")}
            </Menu.Item>
            <Menu.Item onClick={() => setDialog("delete")}>{t("menu.delete")}</Menu.Item>
          </>
        }
      />
      {dialog === "rename" && (
        <RenameDialog
          name={draft.name}
          fallback={fallback}
          onRename={(name) => renameDraft(draftId, name)}
          onClose={close}
        />
      )}
      <Dialog title={t("delete.title", { name: title })} isOpen={dialog === "delete"} onClose={close}>
        <p className="mb-4 text-sm">{t("delete.text")}</p>
        <Button kind="danger" onClick={() => void deleteDraft(draftId)}>
          {t("delete.submit")}
        </Button>
      </Dialog>
    </>
  );
}
