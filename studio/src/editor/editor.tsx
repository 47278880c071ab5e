import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { serviceQuery } from "#api/queries.ts";
import { useIsOwner } from "#app/workspace.ts";
import { useHasPicture } from "#brands/draft-brand.ts";
import { WordsSection } from "./copy/words-section.tsx";
import { EditorProvider, useDraft, useEditorStore } from "./draft/editor-store.ts";
import type { OpenDraft } from "./draft/use-stored-draft.ts";
import { EditorHeader, type EditorView } from "./editor-header.tsx";
import { EmptyEditor } from "./empty-editor.tsx";
import { DropAnywhere } from "./files/drop-anywhere.tsx";
import { FilesSection } from "./files/files-section.tsx";
import { useUploads } from "./files/uploads.ts";
import { useIntake } from "./files/use-intake.ts";
import { FillFromJob } from "./from-job/fill-from-job.tsx";
import { Grid } from "./grid/grid.tsx";
import { GridStrip } from "./grid/grid-strip.tsx";
import { OrderBar } from "./order/order-bar.tsx";
import { useOrder } from "./order/use-order.ts";
import { SizesSection } from "./sizes/sizes-section.tsx";
import { StyleSection } from "./style/style-section.tsx";
import { EngineProvider, useEngine } from "./use-engine.ts";

/** The pack's form, the grid beside it, and the order bar below. */
export function Editor(open: OpenDraft) {
  return (
    <EditorProvider value={open.store}>
      <OpenEditor {...open} />
    </EditorProvider>
  );
}

function OpenEditor({ keeper, isKept }: OpenDraft) {
  const { t } = useTranslation("editor");
  const isOwner = useIsOwner();
  const { data: service } = useQuery(serviceQuery);
  const engine = useEngine(service?.livePreviews === "on");
  const intake = useIntake(engine);
  const uploads = useUploads(
    useDraft((draft) => draft.files),
    isOwner,
  );
  const order = useOrder(keeper);
  const isEmpty = !useHasPicture();
  const [chosenView, setView] = useState<EditorView>("form");
  const view = isEmpty ? "form" : chosenView;
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  useUndoKeys();
  return (
    <EngineProvider value={engine}>
      <div data-editor className="flex min-h-[calc(100dvh-3.5rem)] flex-col lg:h-full lg:min-h-120">
        <title>{`${t("title")} · Creative Packs`}</title>
        <DropAnywhere onFiles={(files) => void intake.take(files)} />
        <div className="flex flex-1 flex-col lg:grid lg:min-h-0 lg:grid-cols-[22.5rem_minmax(0,1fr)] lg:grid-rows-[auto_minmax(0,1fr)] xl:grid-cols-[26rem_minmax(0,1fr)]">
          <EditorHeader view={view} onView={setView} />
          {isEmpty && <EmptyEditor intake={intake} />}
          <div
            className={`scroll-py-3 bg-card lg:col-start-1 lg:row-start-2 lg:overflow-y-auto lg:border-r lg:border-line lg:has-[+:not(:empty)]:invisible ${view === "form" ? "" : "max-lg:hidden"}`}
          >
            <GridStrip onOpen={() => setView("grid")} />
            <FillFromJob />
            {(!isKept || intake.hasKeepFailed) && (
              <p role="alert" className="bg-amber-soft px-4 py-2.5 text-sm">
                {t("notKept")}
              </p>
            )}
            <div className="divide-y divide-line">
              <FilesSection intake={intake} uploads={uploads} />
              <WordsSection />
              <StyleSection />
              <SizesSection />
            </div>
          </div>
          {/* The edited size's fields are shown here, over the form. */}
          <div ref={panel} className="empty:hidden lg:relative lg:col-start-1 lg:row-start-2" />
          <div
            className={`flex min-w-0 flex-col max-lg:flex-1 lg:col-start-2 lg:row-span-2 lg:row-start-1 ${isEmpty ? "hidden" : view === "grid" ? "" : "max-lg:hidden"}`}
          >
            <h2 className="sr-only">{t("views.grid")}</h2>
            <Grid uploads={uploads} panel={panel} selectedId={selectedId} onSelect={setSelectedId} />
          </div>
        </div>
        <OrderBar uploads={uploads} order={order} />
      </div>
    </EngineProvider>
  );
}

/**
 * Ctrl+Z (⌘Z), Ctrl+Shift+Z and Ctrl+Y undo and redo changes of the draft. This also applies in fields, because their
 * values belong to the draft.
 */
function useUndoKeys(): void {
  const store = useEditorStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Fields inside a form, such as the sign-in dialog, do not belong to the draft.
      if (event.target instanceof Element && event.target.closest("form") !== null) return;
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isUndo = key === "z" && !event.shiftKey;
      const isRedo = key === "y" || (key === "z" && event.shiftKey);
      if (!isUndo && !isRedo) return;
      event.preventDefault();
      const { undo, redo } = store.getState();
      (isUndo ? undo : redo)();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}
