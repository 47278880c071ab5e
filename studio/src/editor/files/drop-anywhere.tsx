import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incoming, incomingOf } from "./use-intake.ts";

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Accepts files dropped or pasted anywhere on the page; shows an overlay while they are dragged over it. */
export function DropAnywhere({ onFiles }: { readonly onFiles: (files: readonly Incoming[]) => void }) {
  const { t } = useTranslation("editor");
  const [isOver, setIsOver] = useState(false);
  const receive = useRef(onFiles);
  receive.current = onFiles;

  useEffect(() => {
    // A child's dragenter comes before its parent's dragleave.
    let depth = 0;
    const show = (change: number): void => {
      depth = Math.max(0, depth + change);
      setIsOver(depth > 0);
    };
    const onEnter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      show(1);
    };
    const onLeave = (event: DragEvent): void => {
      if (hasFiles(event)) show(-1);
    };
    const onOver = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      show(-depth);
      receive.current(incomingOf(event.dataTransfer.files));
    };
    const onPaste = (event: ClipboardEvent): void => {
      const files = event.clipboardData?.files;
      if (files === undefined || files.length === 0) return;
      // Office programs also put a picture of copied text on the clipboard.
      if (isTypedIn(event.target) && event.clipboardData?.types.includes("text/plain") === true) return;
      event.preventDefault();
      receive.current(incomingOf(files));
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("dragenter", onEnter, { signal });
    document.addEventListener("dragleave", onLeave, { signal });
    document.addEventListener("dragover", onOver, { signal });
    document.addEventListener("drop", onDrop, { signal });
    document.addEventListener("paste", onPaste, { signal });
    return () => listening.abort();
  }, []);

  if (!isOver) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed inset-2 z-50 flex items-center justify-center rounded-xl border-4 border-dashed border-accent bg-accent-soft/90"
    >
      <p className="rounded-md bg-card px-5 py-3 text-lg font-semibold text-ink shadow-lg">
        {t("files.drop")}
      </p>
    </div>
  );
}
