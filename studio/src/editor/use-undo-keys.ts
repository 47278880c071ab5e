import { useEffect } from "react";
import { useEditorStore } from "./draft/editor-store.ts";

/**
 * Ctrl+Z (⌘Z) and Ctrl+Shift+Z or Ctrl+Y step through the draft, in fields, too: what they hold is the draft's.
 */
export function useUndoKeys(): void {
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
