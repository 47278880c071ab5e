import type { ArtifactFile } from "creative-packs";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { SizeReport } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { useBytes } from "#ui/use-bytes.ts";
import { PackBanner, PackVideo } from "./animated-file.tsx";
import { FilePicture } from "./file-picture.tsx";
import { isAnimated, keepsRules, type PackSize } from "./pack-files.ts";
import { useDownload } from "./pack-queries.ts";

interface FileDialogProps {
  readonly artifactId: string;
  readonly size: PackSize;
  readonly name: string;
  readonly isPlaying: boolean;
  /** Opens the previous or next size; null if there is none. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly onClose: () => void;
}

/** One size large: its file, rule checks, adjustments and download. */
export function FileDialog(props: FileDialogProps) {
  const { artifactId, size, name, isPlaying, onPrevious, onNext, onClose } = props;
  const { t } = useTranslation("packs");
  const { altOf } = useReportWords();
  const { groupName } = useSizeNames();
  const { file, backup } = size;
  const shown = { artifactId, file, backup, alt: altOf(name, file.layout) };
  const { acceptedBy } = file.compliance;
  const backupChecks = backup?.compliance.checks ?? [];
  const checks = [...file.compliance.checks, ...backupChecks.filter(({ passed }) => !passed)];
  return (
    <Dialog title={name} isOpen onClose={onClose} width="full">
      <div className="flex flex-1 flex-col gap-6 lg:flex-row">
        <div className="flex min-h-48 min-w-0 flex-1 items-center justify-center rounded-xl bg-sunk p-5">
          <div
            className="max-w-full overflow-hidden rounded-sm shadow-sm"
            style={{ width: `min(${file.width}px, calc(72dvh * ${file.width / file.height}))` }}
          >
            {file.contentType === "video/mp4" ? (
              <PackVideo key={file.fileId} {...shown} />
            ) : file.contentType === "application/zip" ? (
              <PackBanner key={file.fileId} {...shown} />
            ) : (
              <FilePicture
                key={file.fileId}
                artifactId={artifactId}
                file={file}
                alt={shown.alt}
                isPlaying={isPlaying || !isAnimated(file)}
              />
            )}
          </div>
        </div>
        <div className="flex flex-col gap-6 text-sm lg:w-80 lg:shrink-0">
          <div className="flex flex-col gap-3">
            <FileLine artifactId={artifactId} file={file} />
            {backup !== null && <FileLine artifactId={artifactId} file={backup} label={t("pack.backup")} />}
          </div>
          <SizeReport isPass={keepsRules(size)} checks={checks} adjustments={file.layout.adjustments} />
          {acceptedBy.length > 0 && (
            <p className="text-quiet">
              {t("pack.takenBy")} {acceptedBy.map(groupName).join(", ")}
            </p>
          )}
          <div className="flex gap-2">
            <Button disabled={onPrevious === null} onClick={() => onPrevious?.()}>
              <ArrowLeft className="size-4" />
              {t("pack.previous")}
            </Button>
            <Button disabled={onNext === null} onClick={() => onNext?.()}>
              {t("pack.next")}
              <ArrowRight className="size-4" />
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

interface FileLineProps {
  readonly artifactId: string;
  readonly file: ArtifactFile;
  readonly label?: string;
}

/** A file's name and size, with a download button. */
function FileLine({ artifactId, file, label }: FileLineProps) {
  const { t } = useTranslation("packs");
  const bytes = useBytes();
  const { fileName, byteLength } = file;
  const download = useDownload(artifactId, file);
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="min-w-0">
        {label !== undefined && <span className="block text-xs text-quiet">{label}</span>}
        <span className="break-all">{fileName}</span>
        <span className="block text-xs text-quiet tabular-nums">{bytes(byteLength)}</span>
      </p>
      <Button
        kind="quiet"
        isBusy={download.isPending}
        aria-label={t("pack.downloadOf", { name: fileName })}
        onClick={() => download.mutate()}
      >
        {t("pack.download")}
      </Button>
    </div>
  );
}
