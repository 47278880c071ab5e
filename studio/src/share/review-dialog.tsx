import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { Composer } from "./composer.tsx";
import { DraftPin, Pins, type Point } from "./pins.tsx";
import type { Reviewer, ReviewFile, Thread } from "./review.ts";
import { Threads } from "./threads.tsx";

/** Zoom steps, in CSS pixels per picture pixel. */
const ZOOMS = [1, 2, 4, 8] as const;

/**
 * Width of a picture. At zoom 0 it fits four fifths of the stage without being enlarged. The stage is as high as the
 * window minus 185 px.
 */
const widthOf = ({ width, height }: ReviewFile, zoom: number): string =>
  zoom === 0 ? `min(100%, ${width}px, calc((80dvh - 148px) * ${width / height}))` : `${zoom * width}px`;

/** Classes of the previous and next buttons beside the picture. */
const ARROW = "absolute top-1/2 -translate-y-1/2 rounded-full! border border-line bg-card shadow-md";

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
  /** Renders the verdict on a picture, above its comments. */
  readonly verdict?: (file: File) => ReactNode;
}

/** Shows one picture large, with its pins and comments. Arrow keys open the next picture; plus and minus zoom. */
export function ReviewDialog<File extends ReviewFile>(props: ReviewDialogProps<File>) {
  const { files, fileId, onShow, onClose, picture, threads, reviewer, verdict } = props;
  const { t } = useTranslation("share");
  const at = files.findIndex((file) => file.fileId === fileId);
  const [zoom, setZoom] = useState(0);
  const [shownPx, setShownPx] = useState(0);
  const watchWidth = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => setShownPx(element.offsetWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const [draft, setDraft] = useState<Point | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const step = (by: number) => {
    const next = files.at((at + by) % files.length);
    if (next === undefined) return;
    setDraft(null);
    setZoom(0);
    onShow(next.fileId);
  };
  const scale = shownPx / (files[at]?.width ?? 1);
  const zoomIn = () => setZoom(ZOOMS.find((one) => one > scale) ?? zoom);
  const zoomOut = () => setZoom(ZOOMS.findLast((one) => one < zoom) ?? 0);
  const press = useEffectEvent((event: KeyboardEvent) => {
    // With these modifiers the browser uses the keys, to zoom or to go back and forward.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches(OWN_KEYS)) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
    if (event.key === "+") zoomIn();
    if (event.key === "-") zoomOut();
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
    // A click by keyboard has no position, so the pin starts in the middle.
    setDraft(
      detail === 0 ? { x: 0.5, y: 0.5 } : { x: (clientX - left) / width, y: (clientY - top) / height },
    );
  };
  return (
    <Dialog title={file.name} isOpen onClose={onClose} width="full">
      <div className="flex flex-1 flex-col gap-5 lg:flex-row">
        <div className="flex min-w-0 flex-col gap-3 lg:flex-1">
          <div className="flex items-center gap-1 text-xs text-quiet">
            <span className="min-w-0 flex-1">
              {say !== null && (
                <>
                  <span className="max-sm:hidden">{t("pin.hint")}</span>
                  <span className="sm:hidden">{t("pin.hintTouch")}</span>
                </>
              )}
            </span>
            <IconButton icon={ZoomOut} label={t("large.zoomOut")} onClick={zoomOut} />
            <span className="min-w-10 text-center tabular-nums" aria-live="polite">
              {zoom === 0 && `${t("large.fit")} · `}
              {Math.round(100 * scale)} %
            </span>
            <IconButton icon={ZoomIn} label={t("large.zoomIn")} onClick={zoomIn} />
          </div>
          <div className="relative flex flex-col lg:flex-1">
            <section
              aria-label={file.name}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
              tabIndex={0}
              data-own-keys={zoom === 0 ? undefined : ""}
              className="flex max-h-[74dvh] min-h-48 flex-1 overflow-auto rounded-xl bg-sunk px-14 py-8 lg:max-h-[calc(100dvh-185px)] lg:px-[10%]"
            >
              <div
                ref={watchWidth}
                className="relative m-auto shrink-0"
                style={{ width: widthOf(file, zoom) }}
              >
                {picture(file)}
                {say !== null && (
                  <button
                    type="button"
                    aria-label={t("pin.add")}
                    onClick={pinAt}
                    className="absolute inset-0 cursor-crosshair"
                  />
                )}
                <Pins threads={here} activeId={activeId} onActive={setActiveId} />
                {draft !== null && <DraftPin at={draft} onMove={setDraft} />}
              </div>
            </section>
            <IconButton
              icon={ChevronLeft}
              label={t("large.previous")}
              onClick={() => step(-1)}
              className={`left-2 ${ARROW}`}
            />
            <IconButton
              icon={ChevronRight}
              label={t("large.next")}
              onClick={() => step(1)}
              className={`right-2 ${ARROW}`}
            />
            <span className="absolute bottom-2 left-1/2 -translate-x-1/2 text-xs text-quiet tabular-nums">
              {at + 1} / {files.length}
            </span>
          </div>
        </div>
        <div className="flex flex-col gap-5 max-lg:contents lg:w-80 lg:shrink-0">
          {verdict !== undefined && (
            <div className="flex [&_button]:min-h-9 max-sm:[&_button]:min-h-11 max-lg:sticky max-lg:-bottom-4 max-lg:z-10 max-lg:order-last max-lg:-mx-4 max-lg:-mb-4 max-lg:mt-auto max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:px-4 max-lg:py-2.5">
              {verdict(file)}
            </div>
          )}
          {here.length > 0 && (
            <Threads
              threads={here}
              reviewer={reviewer}
              names={new Map()}
              onOpen={null}
              activeId={activeId}
              onActive={setActiveId}
            />
          )}
          {say !== null && (
            <Composer
              key={fileId}
              reviewer={reviewer}
              label={t(draft === null ? "comment.onPicture" : "comment.onPoint")}
              placeholder={t("comment.placeholder")}
              submit={t("comment.submit")}
              onSend={(name, text) => say(name, text, { fileId, pin: draft })}
              onCancel={draft === null ? undefined : () => setDraft(null)}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}
