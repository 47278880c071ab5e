import { useQuery } from "@tanstack/react-query";
import { ApiError } from "creative-packs";
import { SLOT_IDS, SLOTS, type SlotId } from "creative-packs-service/slots";
import { Check, Crop, ImageDown, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import noticeAddress from "#engine/THIRD-PARTY.txt?url";
import { useReportWords } from "#report/use-report-words.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Progress } from "#ui/progress.tsx";
import { Select } from "#ui/select.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { useBytes } from "#ui/use-bytes.ts";
import type { DraftFile } from "../draft/draft.ts";
import { useDraft, useDraftId, useEdit } from "../draft/editor-store.ts";
import { isPictureSlot, moveFile, setFile, setPlacement } from "../draft/edits.ts";
import { fileQuery, LostFileError } from "../draft/file-bytes.ts";
import { useFaultyFiles } from "../use-engine.ts";
import { FocalPointDialog } from "./focal-point-dialog.tsx";
import { takes } from "./guess-slot.ts";
import { sentShares, type UploadState } from "./uploads.ts";

interface FileCardProps {
  readonly slot: SlotId;
  readonly file: DraftFile;
  readonly upload: UploadState | undefined;
}

const QUIET = `${buttonStyle("quiet")} min-h-7! gap-1.5! px-1.5! py-0.5! text-xs!`;

/** A file of the draft: its type, slot and upload. */
export function FileCard({ slot, file, upload }: FileCardProps) {
  const { t } = useTranslation("editor");
  const bytes = useBytes();
  const edit = useEdit();
  const placement = useDraft(({ placements }) => (isPictureSlot(slot) ? placements[slot] : undefined));
  const [isPlacing, setIsPlacing] = useState(false);
  const options = SLOT_IDS.filter((one) => SLOTS[one].accepts.includes(file.mimeType));
  const { name } = file;
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line p-2 sm:p-2.5">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-2.5 sm:grid-cols-[auto_auto_minmax(0,1fr)_auto] sm:gap-y-1">
        <Thumbnail slot={slot} file={file} />
        <p className="truncate text-sm font-medium max-sm:self-end sm:col-span-2" title={name}>
          {name}
        </p>
        <div className="flex items-center gap-0.5 max-sm:col-start-4 max-sm:row-span-2 max-sm:row-start-1 max-sm:-mr-1 max-sm:flex-col">
          {isPictureSlot(slot) && (
            <button
              type="button"
              className={QUIET}
              aria-label={t(placement === undefined ? "files.placeName" : "files.placedName", { name })}
              onClick={() => setIsPlacing(true)}
            >
              {placement === undefined ? <Crop className="size-3.5" /> : <Check className="size-3.5" />}
              <span className="max-sm:hidden">
                {t(placement === undefined ? "files.place" : "files.placed")}
              </span>
            </button>
          )}
          <button
            type="button"
            className={QUIET}
            aria-label={t("files.removeName", { name })}
            title={t("files.remove")}
            onClick={() => edit((draft) => setFile(draft, slot, null))}
          >
            <Trash2 className="size-3.5" />
          </button>
        </div>
        <div className="min-w-0 max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1">
          <Select
            label={`${t("files.slot")}: ${name}`}
            isLabelHidden
            value={slot}
            options={options.map((one) => ({ value: one, text: t(`slots.${one}`) }))}
            onChange={(to) => edit((draft) => moveFile(draft, slot, to))}
          />
        </div>
        <p className="text-xs whitespace-nowrap text-quiet tabular-nums max-sm:col-start-2 max-sm:row-start-2 max-sm:self-start">
          {file.width !== null && t("files.dimensions", size(file))}
          <span className={file.width === null ? "" : "before:content-['_·_'] max-sm:hidden"}>
            {bytes(file.byteLength)}
          </span>
        </p>
      </div>
      <FileNotes notes={file.notes} />
      {takes(slot, file) ? (
        <TakenNote slot={slot} upload={upload} name={name} />
      ) : (
        <Unfit slot={slot} file={file} />
      )}
      {isPictureSlot(slot) && isPlacing && (
        <FocalPointDialog
          slot={slot}
          file={file}
          title={t("focal.title")}
          placement={placement}
          onClose={() => setIsPlacing(false)}
          onChange={(one) => edit((draft) => setPlacement(draft, slot, one), `placement.${slot}`)}
        />
      )}
    </li>
  );
}

const size = ({ width, height }: DraftFile) => ({ width: width ?? 0, height: height ?? 0 });

/** Notes on how the file was converted. */
function FileNotes({ notes = [] }: Pick<DraftFile, "notes">) {
  const { t } = useTranslation("editor");
  return notes.map((note) => (
    <p key={note.kind} className="flex items-center gap-1.5 text-xs text-quiet">
      <ImageDown className="size-3.5 shrink-0" />
      {t(`files.${note.kind}`, note)}
      {note.kind === "converted" && note.from === "HEIC" && (
        <a href={noticeAddress} target="_blank" rel="noreferrer" className="underline underline-offset-2">
          {t("files.licences")}
        </a>
      )}
    </p>
  ));
}

/** Says what is wrong with an accepted file, or shows the progress of its upload. */
function TakenNote({
  slot,
  upload,
  name,
}: Pick<FileCardProps, "slot" | "upload"> & { readonly name: string }) {
  const { t } = useTranslation("editor");
  const { faultWords } = useReportWords();
  const fault = useFaultyFiles()[slot];
  if (fault === undefined || upload?.status === "failed")
    return upload !== undefined && <UploadNote upload={upload} name={name} />;
  return (
    <p role="alert" className="text-xs text-red">
      {faultWords(fault)} {t("files.faulty")}
    </p>
  );
}

/** Says why a slot does not accept this file. */
function Unfit({ slot, file }: { readonly slot: SlotId; readonly file: DraftFile }) {
  const { t } = useTranslation("editor");
  const isOfType = SLOTS[slot].accepts.includes(file.mimeType);
  const px = SLOTS[slot].shortEdgeMinPx ?? 0;
  return (
    <p role="alert" className="text-xs text-red">
      {isOfType ? t("files.tooSmall", { px }) : t("files.wrongType")}
    </p>
  );
}

/** Thumbnail of a file; for a font, its type. */
function Thumbnail({ slot, file }: Pick<FileCardProps, "slot" | "file">) {
  const { t } = useTranslation("editor");
  const { data } = useQuery(fileQuery(useDraftId(), file.sha256));
  const address = useBlobUrl(data?.thumbnail ?? null);
  return (
    <div className="row-span-2 flex size-13 shrink-0 items-center sm:size-15 justify-center overflow-hidden rounded-md border border-line bg-sunk text-xs text-quiet">
      {address !== null && (
        // On white, because most logos and cut-outs are made for light backgrounds.
        <img
          src={address}
          alt=""
          className={`size-full ${slot === "logo" || file.isCutOut ? "bg-white object-contain p-2" : "object-cover"}`}
        />
      )}
      {address === null && file.mimeType.startsWith("font/") && <span aria-hidden="true">Aa</span>}
      {data === null && <span className="sr-only">{t("files.lost")}</span>}
    </div>
  );
}

/** Upload state of a file, while there is something to show. */
function UploadNote({ upload, name }: { readonly upload: UploadState; readonly name: string }) {
  const { t } = useTranslation("editor");
  if (upload.status === "ready") return null;
  if (upload.status === "sending") return <Sending uploadKey={upload.key} name={name} />;
  if (upload.status === "offline")
    return (
      <p role="status" className="text-xs text-amber">
        {t("files.offline")}
      </p>
    );
  return <Failed error={upload.error} retry={upload.retry} />;
}

function Sending({ uploadKey, name }: { readonly uploadKey: string; readonly name: string }) {
  const { t } = useTranslation("editor");
  const share = useStore(sentShares, (shares) => shares[uploadKey] ?? 0);
  return (
    <div className="flex flex-col gap-1">
      <Progress label={t("files.sendingLabel", { name })} share={share} />
      <p className="text-xs text-quiet tabular-nums">
        {t("files.sending", { percent: Math.round(100 * share) })}
      </p>
    </div>
  );
}

/** Error of an upload. Offers a retry, unless the service has rejected the file. */
function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useTranslation("editor");
  const { t: common } = useTranslation();
  const rejection = error instanceof ApiError ? error.details.rejection : undefined;
  const isLost = error instanceof LostFileError;
  const text =
    rejection === undefined
      ? undefined
      : t(`rejection.${rejection.code}` as never, { defaultValue: rejection.message });
  return (
    <div className="flex flex-col items-start gap-1.5">
      <ErrorNote error={error}>{isLost ? t("files.lost") : text}</ErrorNote>
      {rejection === undefined && !isLost && <Button onClick={retry}>{common("retry")}</Button>}
    </div>
  );
}
