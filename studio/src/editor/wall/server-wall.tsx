import { useQuery } from "@tanstack/react-query";
import type { PackRequest } from "creative-packs";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { EmptyState } from "#ui/page.tsx";
import { type SizeInfo, TileGroups } from "#ui/size-tiles.tsx";
import { useDraft } from "../draft/editor-store.ts";
import type { Uploads } from "../files/uploads.ts";
import { needsOf, packRequestOf } from "../order/pack-request.ts";
import { readyAssets } from "../order/ready-assets.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { ServerTile } from "./server-tile.tsx";

interface ServerWallProps {
  readonly sizes: readonly SizeInfo[];
  readonly uploads: Uploads;
  readonly onAdjust: (sizeId: string) => void;
}

/** The wall where the service draws: each size on request, because previews are counted by the day and the minute. */
export function ServerWall({ sizes, uploads, onAdjust }: ServerWallProps) {
  const { t } = useTranslation("editor");
  const isOwner = useIsOwner();
  const { groupName, sizeName } = useSizeNames();
  const draft = useDraft((one) => one);
  const { assetIds } = readyAssets(draft.files, uploads);
  if (needsOf(draft).includes("files") || sizes.length === 0)
    return <EmptyState title={t("asked.emptyTitle")} text={t("asked.emptyText")} />;
  const pack = assetIds !== null && isOwner ? packRequestOf(draft, assetIds) : null;
  return (
    <section aria-label={t("views.wall")} className="flex flex-col gap-6">
      <p className="text-sm text-quiet">
        {isOwner ? t("asked.lead") : t("asked.memberOnly")} <Allowance />
      </p>
      <TileGroups
        sizes={sizes}
        groupName={groupName}
        heading="h3"
        boxOf={(size) => size}
        tile={(size) => (
          <ServerTile
            key={size.sizeId}
            size={size}
            name={sizeName(size)}
            request={pack === null ? null : requestOf(pack, size.sizeId)}
            onAdjust={onAdjust}
          />
        )}
      />
    </section>
  );
}

/** The pack of one size alone. */
function requestOf(pack: PackRequest, sizeId: string): PackRequest {
  const own = pack.overrides?.[sizeId];
  return { ...pack, selectedSizeIds: [sizeId], overrides: own === undefined ? {} : { [sizeId]: own } };
}

/** How many more previews there are today. */
function Allowance() {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const { data } = useQuery({
    queryKey: ["workspace", workspaceId, "preview-quota"],
    queryFn: ({ signal }) => clientOf(workspaceId).previews.quota({ signal }),
  });
  return data === undefined ? null : t("asked.left", { count: data.product.remaining });
}
