import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ArtifactSummary } from "creative-packs";
import Ellipsis from "lucide-react/icons/ellipsis";
import ImageIcon from "lucide-react/icons/image";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import type { ListedDraft } from "#editor/draft/draft-storage.ts";
import { deleteDraft, duplicateDraft, renameDraft } from "#editor/draft/drafts.ts";
import { fileQuery } from "#editor/draft/file-bytes.ts";
import { Badge } from "#ui/badge.tsx";
import { ConfirmDialog } from "#ui/confirm-button.tsx";
import { Menu } from "#ui/menu.tsx";
import { Moment } from "#ui/moment.tsx";
import { RenameDialog } from "#ui/rename.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { FilePicture } from "./file-picture.tsx";
import { brandsQuery, type PackState, renamePack } from "./pack-queries.ts";

const TONES = {
  draft: "plain",
  none: "plain",
  in_review: "warning",
  changes_requested: "bad",
  approved: "good",
} as const;

/** State of a draft or pack. */
export function StateBadge({ state }: { readonly state: PackState }) {
  const { t } = useTranslation("packs");
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>;
}

/** An expiry date is highlighted if it is less than this many days away. */
const SOON_DAYS = 7;
const daysUntil = (at: string): number => (Date.parse(at) - Date.now()) / 86_400_000;

interface CardProps {
  /** Null if it has no name. */
  readonly name: string | null;
  /** Shown if there is no name. */
  readonly fallback: string;
  readonly state: PackState;
  readonly brandId: string | null;
  readonly picture: ReactNode;
  readonly sizeCount: number;
  /** Time at which the pack was made or the draft last changed, ISO 8601. */
  readonly at: string;
  readonly children?: ReactNode;
  /** Wraps the content of the card in a link. */
  readonly link: (content: ReactNode, className: string) => ReactNode;
  /** Menu items after "Rename"; null hides the whole menu. */
  readonly menu: ReactNode;
  readonly onRename: (name: string) => Promise<void>;
}

/** A draft or pack in the list: picture, state, name, brand and menu. */
function Card({ name, fallback, state, brandId, menu, onRename, ...shown }: CardProps) {
  const { t } = useTranslation("packs");
  const { data: brands = [] } = useQuery(brandsQuery(useWorkspaceId()));
  const [isRenaming, setIsRenaming] = useState(false);
  const brand = brands.find((one) => one.brandId === brandId)?.name;
  const title = name || fallback;
  const content = (
    <>
      <span className="flex aspect-4/3 w-full items-center justify-center overflow-hidden bg-sunk p-3">
        {shown.picture || <ImageIcon size={28} className="text-quiet" />}
      </span>
      <span className="flex flex-1 flex-col items-start gap-1.5 p-4 *:last:pr-10">
        <StateBadge state={state} />
        <span className="line-clamp-2 text-base font-semibold break-words group-hover:underline">
          {title}
        </span>
        <span className="text-[0.8125rem] text-quiet">
          {brand !== undefined && `${brand} · `}
          {t("sizes", { count: shown.sizeCount })} · <Moment at={shown.at} hasTime={false} />
        </span>
        {shown.children}
      </span>
    </>
  );
  return (
    <li className="relative">
      {shown.link(
        content,
        "group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card text-sm hover:border-strong-line",
      )}
      {menu !== null && (
        <div className="absolute right-2 bottom-2">
          <Menu label={t("menu.label", { name: title })} text={<Ellipsis size={18} />}>
            <Menu.Item onClick={() => setIsRenaming(true)}>{t("menu.rename")}</Menu.Item>
            {menu}
          </Menu>
        </div>
      )}
      {isRenaming && (
        <RenameDialog {...{ name: name ?? "", fallback, onRename }} onClose={() => setIsRenaming(false)} />
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
  const { artifactId, jobId, thumbnail } = pack;
  const isKept = pack.status === "ready";
  const orderAgain = (search: { readonly version?: true }) => () =>
    void navigate({
      to: "/w/$workspaceId/create",
      params: { workspaceId },
      search: { draft: "new", from: jobId, ...search },
    });
  const picture = thumbnail !== null && (
    <FilePicture artifactId={artifactId} file={thumbnail} alt="" isPlaying={false} fit="contain" />
  );
  const menu = (
    <>
      <Menu.Item onClick={orderAgain({ version: true })}>{t("pack.again")}</Menu.Item>
      <Menu.Item onClick={orderAgain({})}>{t("menu.copyToDraft")}</Menu.Item>
    </>
  );
  return (
    <Card
      {...{ name: pack.name, fallback: pack.headline ?? t("noHeadline"), state: pack.approval }}
      {...{ brandId: pack.brandId, sizeCount: pack.sizeCount, at: pack.createdAt, picture }}
      menu={isOwner ? menu : null}
      onRename={(name) => renamePack(workspaceId, jobId, name)}
      link={(content, className) => (
        <Link
          to="/w/$workspaceId/packs/$artifactId"
          params={{ workspaceId, artifactId }}
          className={className}
        >
          {content}
        </Link>
      )}
    >
      <span className="mt-auto flex flex-wrap gap-2 text-[0.8125rem] text-quiet">
        <span className={isKept && daysUntil(pack.expiresAt) < SOON_DAYS ? "font-medium text-amber" : ""}>
          {isKept ? t("pack.kept") : t("expired")} {isKept && <Moment at={pack.expiresAt} hasTime={false} />}
        </span>
        {pack.motion === "animated" && <Badge>{t("animated")}</Badge>}
      </span>
    </Card>
  );
}

/** A draft of this browser in the list. */
export function DraftCard({ draft, scope }: { readonly draft: ListedDraft; readonly scope: string }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const [isDeleting, setIsDeleting] = useState(false);
  const { draftId, name } = draft;
  const { files, texts, brandId, sizeIds } = draft.history.present;
  const picture = files.media ?? files.product ?? files.person ?? files.background ?? files.logo;
  const { data } = useQuery({ ...fileQuery(draftId, picture?.sha256 ?? ""), enabled: picture !== undefined });
  const address = useBlobUrl(data?.thumbnail ?? null);
  const fallback = texts.headline.trim() || t("untitled");
  const title = name || fallback;
  const duplicate = (): void => {
    duplicateDraft(scope, draft, t("copyOf", { name: title })).catch(showErrorToast);
  };
  return (
    <>
      <Card
        {...{ name, fallback, brandId, state: "draft", sizeCount: sizeIds.length }}
        at={new Date(draft.updatedAt).toISOString()}
        picture={address !== null && <img src={address} alt="" className="size-full object-contain" />}
        onRename={(changed) => renameDraft(draftId, changed)}
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
            <Menu.Item onClick={duplicate}>{t("menu.duplicate")}</Menu.Item>
            <Menu.Item onClick={() => setIsDeleting(true)}>{t("menu.delete")}</Menu.Item>
          </>
        }
      />
      <ConfirmDialog
        text={t("delete.submit")}
        question={t("delete.title", { name: title })}
        consequence={t("delete.text")}
        onConfirm={() => deleteDraft(draftId)}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
      />
    </>
  );
}
