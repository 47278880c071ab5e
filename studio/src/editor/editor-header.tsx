import { useQuery } from "@tanstack/react-query";
import { Ellipsis, FilePlus2, Redo2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "#api/queries.ts";
import { useIsOwner } from "#app/workspace.ts";
import { useHasPicture } from "#brands/draft-brand.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { Menu } from "#ui/menu.tsx";
import { RenameButton } from "#ui/rename.tsx";
import { showToast } from "#ui/toast.ts";
import { emptyDraft, hasContent, normalText } from "./draft/draft.ts";
import { useDraft, useEdit, useEditor } from "./draft/editor-store.ts";

const EDITOR_VIEWS = ["form", "grid"] as const;
export type EditorView = (typeof EDITOR_VIEWS)[number];

interface EditorHeaderProps {
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
}

/** Title, undo and redo. In a narrow window also a switch between form and preview. */
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
    showToast(t("startedOver"));
  };
  return (
    <div className="border-line bg-card lg:border-r">
      <div className="flex min-h-14 items-center gap-1 border-line px-4 py-2 wrap-anywhere lg:border-b">
        <h1 className="line-clamp-2 text-base/5 font-semibold tracking-tight">{name || fallback}</h1>
        <RenameButton name={name} fallback={fallback} onRename={rename} />
        <div className="-mr-2 ml-auto flex items-center">
          <IconButton
            icon={Undo2}
            label={t("undo")}
            disabled={!canUndo}
            onClick={undo}
            aria-keyshortcuts="Control+Z"
          />
          <IconButton
            icon={Redo2}
            label={t("redo")}
            disabled={!canRedo}
            onClick={redo}
            aria-keyshortcuts="Control+Shift+Z"
          />
          <Menu label={t("moreSteps")} text={<Ellipsis className="-mx-1.5 size-4" />}>
            <Menu.Item isDisabled={!canStartOver} onClick={startOver}>
              <FilePlus2 className="size-4" /> {t("startOver")}
            </Menu.Item>
          </Menu>
        </div>
      </div>
      {isSuccess && !isOwner && <p className="bg-sunk px-4 py-2.5 text-sm">{t("member")}</p>}
      <fieldset
        aria-label={t("views.label")}
        className={`mx-4 mb-3 grid grid-cols-2 gap-1 rounded-lg bg-sunk p-1 lg:hidden ${isEmpty ? "hidden" : ""}`}
      >
        {EDITOR_VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => onView(one)}
            className="min-h-10 rounded-md px-3 text-sm text-quiet aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-sm"
          >
            {t(`views.${one}`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
