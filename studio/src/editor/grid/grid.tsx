import { lazy, Suspense, useMemo } from "react";
import { KnownService } from "#api/known-service.tsx";
import { useDraft } from "../draft/editor-store.ts";
import type { Uploads } from "../files/uploads.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { LiveGrid } from "./live-grid.tsx";
import type { GridSelection } from "./size-panel.tsx";

// Loaded only for server previews: the editor's page must stay small.
const ServerGrid = lazy(async () => ({ default: (await import("./server-grid.tsx")).ServerGrid }));

interface GridProps extends GridSelection {
  readonly uploads: Uploads;
}

/** The chosen sizes of the open draft, drawn in the page, or by the service if live previews are off. */
export function Grid({ uploads, ...selection }: GridProps) {
  const sizes = useChosenSizes();
  return (
    <KnownService>
      {({ livePreviews }) =>
        livePreviews === "off" ? (
          <Suspense>
            <ServerGrid sizes={sizes} uploads={uploads} {...selection} />
          </Suspense>
        ) : (
          <LiveGrid sizes={sizes} {...selection} />
        )
      }
    </KnownService>
  );
}

/** The chosen sizes of the open draft, in the contract's order. */
export function useChosenSizes() {
  const chosen = useDraft((draft) => draft.sizeIds);
  const { data: contract } = useContract();
  return useMemo(
    () => contract?.sizes.filter(({ sizeId }) => chosen.includes(sizeId)) ?? [],
    [contract, chosen],
  );
}
