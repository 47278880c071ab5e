import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { KnownService } from "#api/known-service.tsx";
import type { Wall } from "#drawing/types.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import type { WallSizeInfo } from "#wall/tile-size.ts";
import { WallGrid } from "#wall/wall-grid.tsx";
import { useDraft } from "../draft/editor-store.ts";
import type { Uploads } from "../files/uploads.ts";
import { useSizeNames } from "../sizes/size-names.ts";
import { useContract } from "../sizes/use-contract.ts";
import { AskedWall } from "./asked-wall.tsx";
import { useWallInputs } from "./use-wall-inputs.ts";

interface DraftWallProps {
  /** Null while it is being started, and where the service draws. */
  readonly wall: Wall | null;
  readonly uploads: Uploads;
  /** Opens what one size has of its own. */
  readonly onAdjust: (sizeId: string) => void;
}

/** The wall of the open draft: drawn in the page, or by the service where its operator keeps the engine there. */
export function DraftWall({ wall, uploads, onAdjust }: DraftWallProps) {
  const chosen = useDraft((draft) => draft.sizeIds);
  const { data: contract } = useContract();
  const sizes = useMemo(
    () => contract?.sizes.filter(({ sizeId }) => chosen.includes(sizeId)) ?? [],
    [contract, chosen],
  );
  return (
    <KnownService>
      {({ livePreviews }) =>
        livePreviews === "off" ? (
          <AskedWall sizes={sizes} uploads={uploads} onAdjust={onAdjust} />
        ) : (
          <LiveWall wall={wall} sizes={sizes} onAdjust={onAdjust} />
        )
      }
    </KnownService>
  );
}

interface LiveWallProps extends Pick<DraftWallProps, "wall" | "onAdjust"> {
  readonly sizes: readonly WallSizeInfo[];
}

function LiveWall({ wall, sizes, onAdjust }: LiveWallProps) {
  const { t } = useTranslation("wall");
  const { groupName } = useSizeNames();
  return (
    <WallGrid
      wall={wall}
      inputs={useWallInputs()}
      sizes={sizes}
      groupName={groupName}
      onAdjust={onAdjust}
      whenEmpty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
    />
  );
}
