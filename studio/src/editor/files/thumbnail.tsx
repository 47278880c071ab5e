import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DraftFile } from "../draft/draft.ts";
import { useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { useBlobAddress } from "./use-blob-address.ts";

/** A small picture of a file of the draft; for a font, its kind. */
export function Thumbnail({ file }: { readonly file: DraftFile }) {
  const { t } = useTranslation("editor");
  const { data } = useQuery(fileQuery(useDraftId(), file.sha256));
  const address = useBlobAddress(data?.thumbnail ?? null);
  return (
    <div className="flex size-16 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-sunk text-xs text-quiet">
      {address !== null && (
        // On white: logos and cut-outs are made for paper.
        <img src={address} alt="" className="size-full bg-white object-contain" />
      )}
      {address === null && file.mimeType.startsWith("font/") && <span aria-hidden="true">Aa</span>}
      {data === null && <span className="sr-only">{t("files.lost")}</span>}
    </div>
  );
}
