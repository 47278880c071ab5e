import { useQuery } from "@tanstack/react-query";
import type { Placement } from "creative-packs-service/renderer";
import type { SlotId } from "creative-packs-service/slots";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import type { DraftFile } from "../draft/draft.ts";
import { useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { Choices } from "../style/choices.tsx";
import { usePictureFacts } from "../use-engine.ts";
import { AreaField } from "./area-field.tsx";
import { FocalPoint } from "./focal-point.tsx";
import { areaAround, middleOf } from "./keep-area.ts";
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

/** Where a picture is to be looked at, or what of it is to be shown whole, chosen on the picture. */
export function FocalPointDialog(props: FocalPointDialogProps) {
  const { slot, file, title, placement, onClose, onChange } = props;
  const { t } = useTranslation("editor");
  const { data } = useQuery(fileQuery(useDraftId(), file.sha256));
  const address = useBlobAddress(data?.thumbnail ?? data?.bytes ?? null);
  const start = usePictureFacts(slot)?.focalPoint ?? MIDDLE;
  const keep = placement !== undefined && "keep" in placement ? placement.keep : null;
  const point = placement !== undefined && "focalPoint" in placement ? placement.focalPoint : null;
  return (
    <Dialog title={`${title}: ${file.name}`} isOpen onClose={onClose} width="wide">
      <div className="flex flex-col gap-4">
        <Choices
          label={t("focal.kind")}
          value={keep === null ? "point" : "area"}
          isRow
          options={[
            { value: "point", text: t("focal.kinds.point"), hint: t("focal.hints.point") },
            { value: "area", text: t("focal.kinds.area"), hint: t("focal.hints.area") },
          ]}
          onChange={(kind) =>
            onChange(
              kind === "area"
                ? { keep: areaAround(point ?? start) }
                : { focalPoint: keep === null ? start : middleOf(keep) },
            )
          }
        />
        <p className="text-sm text-quiet">{keep === null ? t("focal.lead") : t("focal.keep")}</p>
        {address !== null &&
          (keep === null ? (
            <FocalPoint
              address={address}
              point={point}
              start={start}
              onChange={(focalPoint) => onChange({ focalPoint })}
            />
          ) : (
            <AreaField address={address} area={keep} onChange={(area) => onChange({ keep: area })} />
          ))}
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
