import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { serviceQuery } from "#api/queries.ts";
import { useIsOwner } from "#app/workspace.ts";
import { useHasPicture } from "#brands/draft-brand.ts";
import { WordsSection } from "./copy/words-section.tsx";
import { EditorProvider, useDraft, useEditorStore } from "./draft/editor-store.ts";
import type { OpenDraft } from "./draft/use-kept-draft.ts";
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

/** The form of a pack, the grid beside it, and the order under both. */
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
  useUndoKeys();
  return (
    <EngineProvider value={engine}>
      <div className="flex min-h-[calc(100dvh-3.05rem)] flex-col">
        <title>{`${t("title")} · Creative Packs`}</title>
        <DropAnywhere onFiles={(files) => void intake.take(files)} />
        <div className="mx-auto flex w-full max-w-[1800px] flex-1 flex-col gap-4 px-4 pt-5 pb-8 sm:px-6">
          <EditorHeader view={view} onView={setView} />
          <FillFromJob />
          {(!isKept || intake.hasKeepFailed) && (
            <p role="alert" className="rounded-md bg-amber-soft px-3.5 py-2.5 text-sm">
              {t("notKept")}
            </p>
          )}
          <div className="grid flex-1 items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(22rem,27rem)_minmax(0,1fr)]">
            {isEmpty && <EmptyEditor intake={intake} />}
            <div
              className={`min-w-0 divide-y divide-line overflow-clip rounded-xl border border-line bg-card lg:col-start-1 lg:row-start-1 ${view === "form" ? "" : "max-lg:hidden"}`}
            >
              <FilesSection intake={intake} uploads={uploads} />
              <GridStrip onOpen={() => setView("grid")} />
              <WordsSection />
              <StyleSection />
              <SizesSection />
            </div>
            <div
              className={`min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-8.5rem)] lg:overflow-y-auto ${isEmpty ? "hidden" : view === "grid" ? "" : "max-lg:hidden"}`}
            >
              <h2 className="sr-only">{t("views.grid")}</h2>
              <Grid uploads={uploads} selectedId={selectedId} onSelect={setSelectedId} />
            </div>
          </div>
        </div>
        <OrderBar uploads={uploads} order={order} />
      </div>
    </EngineProvider>
  );
}

/**
 * Ctrl+Z (⌘Z) and Ctrl+Shift+Z or Ctrl+Y step through the draft, in fields, too: what they hold is the draft's.
 */
function useUndoKeys(): void {
  const store = useEditorStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A form over the page, as that for signing in, has texts of its own.
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
