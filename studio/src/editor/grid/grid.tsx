import { useMemo } from "react";
import { KnownService } from "#api/known-service.tsx";
import type { Engine } from "#engine/types.ts";
import { useDraft } from "../draft/editor-store.ts";
import type { Uploads } from "../files/uploads.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { LiveGrid } from "./live-grid.tsx";
import { ServerGrid } from "./server-grid.tsx";

interface GridProps {
  /** Null while it is being started, and where the service draws. */
  readonly engine: Engine | null;
  readonly uploads: Uploads;
  /** Opens what one size has of its own. */
  readonly onAdjust: (sizeId: string) => void;
}

/** The chosen sizes of the open draft: drawn in the page, or by the service where live previews are off. */
export function Grid({ engine, uploads, onAdjust }: GridProps) {
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
          <ServerGrid sizes={sizes} uploads={uploads} onAdjust={onAdjust} />
        ) : (
          <LiveGrid engine={engine} sizes={sizes} onAdjust={onAdjust} />
        )
      }
    </KnownService>
  );
}
