import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SlotId } from "../../../../src/api/slots.ts";
import type { Placement } from "../../../../src/renderer/types.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { DraftFile } from "../draft/draft.ts";
import { useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { usePictureFacts } from "../wall/wall-context.ts";
import { FocalPoint } from "./focal-point.tsx";
import { useBlobAddress } from "./use-blob-address.ts";

interface FocalPointDialogProps {
  readonly slot: SlotId;
  readonly file: DraftFile;
  readonly title: string;
  readonly placement: Placement | undefined;
  readonly onClose: () => void;
  /** Null: automatic again. */
  readonly onChange: (placement: Placement | null) => void;
}

const MIDDLE = { x: 0.5, y: 0.5 };

/** Where a picture is to be looked at, chosen on the picture. */
export function FocalPointDialog(props: FocalPointDialogProps) {
  const { slot, file, title, placement, onClose, onChange } = props;
  const { t } = useTranslation("editor");
  const { data } = useQuery(fileQuery(useDraftId(), file.sha256));
  const address = useBlobAddress(data?.thumbnail ?? data?.bytes ?? null);
  const start = usePictureFacts(slot)?.focalPoint ?? MIDDLE;
  const isKeep = placement !== undefined && "keep" in placement;
  return (
    <Dialog title={`${title}: ${file.name}`} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-4">
        <p className="text-sm text-quiet">{isKeep ? t("focal.keep") : t("focal.lead")}</p>
        {address !== null && (
          <FocalPoint
            address={address}
            point={placement !== undefined && "focalPoint" in placement ? placement.focalPoint : null}
            start={start}
            keep={isKeep ? placement.keep : null}
            onChange={(focalPoint) => onChange({ focalPoint })}
          />
        )}
        {placement === undefined && <p className="text-sm text-quiet">{t("focal.isAutomatic")}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={placement === undefined} onClick={() => onChange(null)}>
            {t("focal.automatic")}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t("focal.done")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
