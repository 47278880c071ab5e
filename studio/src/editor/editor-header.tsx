import { useQuery } from "@tanstack/react-query";
import { FilePlus2, Redo2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "#api/queries.ts";
import { useIsOwner } from "#app/workspace.ts";
import { useHasPicture } from "#brands/draft-brand.ts";
import { Button } from "#ui/button.tsx";
import { RenameButton } from "#ui/rename.tsx";
import { tell } from "#ui/toast.ts";
import { emptyDraft, hasContent, normalText } from "./draft/draft.ts";
import { useDraft, useEdit, useEditor } from "./draft/editor-store.ts";

const EDITOR_VIEWS = ["form", "grid"] as const;
export type EditorView = (typeof EDITOR_VIEWS)[number];

interface EditorHeaderProps {
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
}

/** Title, steps back and forth, and on a narrow screen what of the two is shown. */
export function EditorHeader({ view, onView }: EditorHeaderProps) {
  const { t } = useTranslation("editor");
  const isOwner = useIsOwner();
  const { isSuccess } = useQuery(workspacesQuery);
  const canUndo = useEditor(({ history }) => history.past.length > 0);
  const canRedo = useEditor(({ history }) => history.future.length > 0);
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
  const canStartOver = useDraft(hasContent);
  const isEmpty = !useHasPicture();
  const edit = useEdit();
  const name = useEditor((state) => state.name);
  const rename = useEditor((state) => state.rename);
  const fallback = normalText(useDraft(({ texts }) => texts.headline)) || t("untitled");
  const startOver = (): void => {
    edit(() => emptyDraft);
    tell(t("startedOver"));
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 items-start">
          <h1 className="min-w-0 truncate text-2xl font-semibold tracking-tight">{name || fallback}</h1>
          <RenameButton name={name} fallback={fallback} onRename={rename} />
        </div>
        <div className="flex flex-wrap gap-1">
          <Button kind="quiet" disabled={!canUndo} onClick={undo} aria-keyshortcuts="Control+Z">
            <Undo2 className="size-4" /> <span className="max-sm:sr-only">{t("undo")}</span>
          </Button>
          <Button kind="quiet" disabled={!canRedo} onClick={redo} aria-keyshortcuts="Control+Shift+Z">
            <Redo2 className="size-4" /> <span className="max-sm:sr-only">{t("redo")}</span>
          </Button>
          <Button kind="quiet" disabled={!canStartOver} onClick={startOver}>
            <FilePlus2 className="size-4" />
            <span className="max-sm:sr-only">{t("startOver")}</span>
          </Button>
        </div>
      </div>
      {isSuccess && !isOwner && <p className="rounded-md bg-sunk px-3.5 py-2.5 text-sm">{t("member")}</p>}
      <fieldset
        aria-label={t("views.label")}
        className={`grid grid-cols-2 gap-1 rounded-lg bg-sunk p-1 lg:hidden ${isEmpty ? "hidden" : ""}`}
      >
        {EDITOR_VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => onView(one)}
            className="rounded-md px-3 py-1.5 text-sm text-quiet aria-pressed:bg-card aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-sm"
          >
            {t(`views.${one}`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
