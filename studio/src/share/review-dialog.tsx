import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { Composer } from "./composer.tsx";
import { DraftPin, Pins, type Point } from "./pins.tsx";
import type { Reviewer, ReviewFile, Thread } from "./review.ts";
import { Threads } from "./threads.tsx";

/** Zoom steps, in CSS pixels per picture pixel; 0 fits the picture into the window. */
const ZOOMS = [0, 1, 2, 4] as const;
/** The largest zoom at which a small banner is fitted. */
const FIT_MAX = 2;

const widthOf = ({ width, height }: ReviewFile, zoom: number): string =>
  zoom === 0 ? `min(100%, ${FIT_MAX * width}px, calc(72dvh * ${width / height}))` : `${zoom * width}px`;

/** Elements that use the arrow keys themselves. */
const OWN_KEYS = "input, textarea, [data-own-keys]";

interface ReviewDialogProps<File extends ReviewFile> {
  readonly files: readonly File[];
  readonly fileId: string;
  readonly onShow: (fileId: string) => void;
  readonly onClose: () => void;
  readonly picture: (file: File) => ReactNode;
  readonly threads: readonly Thread[];
  readonly reviewer: Reviewer;
  /** The verdict on a picture, above its comments. */
  readonly verdict?: (file: File) => ReactNode;
}

/** One picture large, with its pins and comments. Arrow keys move to the next picture, plus and minus zoom. */
export function ReviewDialog<File extends ReviewFile>(props: ReviewDialogProps<File>) {
  const { files, fileId, onShow, onClose, picture, threads, reviewer, verdict } = props;
  const { t } = useTranslation("share");
  const at = files.findIndex((file) => file.fileId === fileId);
  const [zoom, setZoom] = useState(0);
  const [draft, setDraft] = useState<Point | null>(null);
  const step = (by: number) => {
    const next = files.at((at + by) % files.length);
    if (next === undefined) return;
    setDraft(null);
    onShow(next.fileId);
  };
  const zoomBy = (by: number) => setZoom((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + by)));
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.matches(OWN_KEYS)) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
    if (event.key === "+") zoomBy(1);
    if (event.key === "-") zoomBy(-1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    // In the capture phase, because the dialog stops arrow keys from bubbling.
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
  const file = files[at];
  if (file === undefined) return null;
  const here = threads.filter(({ comment }) => comment.fileId === fileId);
  const { say } = reviewer;
  const pinAt = ({ currentTarget, clientX, clientY, detail }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    // A key press has no point: the pin starts in the middle, and arrow keys move it.
    setDraft(
      detail === 0 ? { x: 0.5, y: 0.5 } : { x: (clientX - left) / width, y: (clientY - top) / height },
    );
  };
  return (
    <Dialog title={file.name} isOpen onClose={onClose} width="full">
      <div className="flex flex-col gap-5 lg:flex-row">
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <div className="flex flex-wrap items-center gap-1">
            <IconButton icon={ChevronLeft} label={t("large.previous")} onClick={() => step(-1)} />
            <span className="text-xs text-quiet tabular-nums">
              {at + 1} / {files.length}
            </span>
            <IconButton icon={ChevronRight} label={t("large.next")} onClick={() => step(1)} />
            <span className="flex-1" />
            <IconButton icon={ZoomOut} label={t("large.zoomOut")} onClick={() => zoomBy(-1)} />
            <span className="min-w-10 text-center text-xs text-quiet tabular-nums" aria-live="polite">
              {zoom === 0 ? t("large.fit") : `${100 * (ZOOMS[zoom] ?? 1)} %`}
            </span>
            <IconButton icon={ZoomIn} label={t("large.zoomIn")} onClick={() => zoomBy(1)} />
          </div>
          <section
            aria-label={file.name}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
            tabIndex={0}
            data-own-keys={zoom === 0 ? undefined : ""}
            className="flex max-h-[78dvh] min-h-48 overflow-auto rounded-md bg-sunk p-8"
          >
            <div className="relative m-auto shrink-0" style={{ width: widthOf(file, ZOOMS[zoom] ?? 0) }}>
              {picture(file)}
              {say !== null && (
                <button
                  type="button"
                  aria-label={t("pin.add")}
                  onClick={pinAt}
                  className="absolute inset-0 cursor-crosshair"
                />
              )}
              <Pins threads={here} />
              {draft !== null && <DraftPin at={draft} onMove={setDraft} />}
            </div>
          </section>
          {say !== null && <p className="text-xs text-quiet">{t("pin.hint")}</p>}
        </div>
        <div className="flex flex-col gap-5 lg:w-80 lg:shrink-0">
          {verdict?.(file)}
          {say !== null && (
            <Composer
              key={fileId}
              reviewer={reviewer}
              label={t(draft === null ? "comment.onPicture" : "comment.onPoint")}
              submit={t("comment.submit")}
              onSend={(name, text) => say(name, text, { fileId, pin: draft })}
              onCancel={draft === null ? undefined : () => setDraft(null)}
            />
          )}
          {here.length > 0 && <Threads threads={here} reviewer={reviewer} names={new Map()} onOpen={null} />}
        </div>
      </div>
    </Dialog>
  );
}
