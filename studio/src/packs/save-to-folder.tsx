import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Progress } from "#ui/progress.tsx";
import { showErrorToast, showToast } from "#ui/toast.ts";

declare global {
  interface Window {
    /** The File System Access API, which some browsers lack. */
    showDirectoryPicker?: (options: { readonly mode: "readwrite" }) => Promise<FileSystemDirectoryHandle>;
  }
}

/** A file to write into a subfolder of the chosen folder. */
interface FolderFile {
  readonly folder: string;
  readonly name: string;
  readonly read: () => Promise<Blob>;
}

async function isThere(root: FileSystemDirectoryHandle, { folder, name }: FolderFile): Promise<boolean> {
  try {
    await (await root.getDirectoryHandle(folder)).getFileHandle(name);
    return true;
  } catch {
    return false;
  }
}

/** Writes a file, and creates its folder if needed. Replaces an existing file only after a complete write. */
async function write(root: FileSystemDirectoryHandle, { folder, name, read }: FolderFile): Promise<void> {
  const content = await read();
  const inside = await root.getDirectoryHandle(folder, { create: true });
  const writable = await (await inside.getFileHandle(name, { create: true })).createWritable();
  await writable.write(content);
  await writable.close();
}

/** Content of the dialog: a question with its callback, or a progress message. */
interface Shown {
  readonly text: string;
  readonly answer?: (isReplaced: boolean) => void;
  readonly share?: number;
}

/**
 * Saves files in a folder that the user chooses, and asks once before it replaces existing files. Also returns its
 * dialog.
 */
export function useSaveToFolder(listFiles: () => Promise<readonly FolderFile[]>) {
  const { t } = useTranslation("packs");
  const [shown, setShown] = useState<Shown | null>(null);
  const isStopped = useRef(false);
  const save = useMutation({
    mutationFn: async () => {
      const root = await window.showDirectoryPicker?.({ mode: "readwrite" });
      if (root === undefined) return;
      isStopped.current = false;
      const files = await listFiles();
      const total = files.length;
      const found = await Promise.all(files.map((file) => isThere(root, file)));
      const text = t("folder.there", { count: found.filter(Boolean).length });
      const ask = () => new Promise<boolean>((answer) => setShown({ text, answer }));
      if (found.includes(true) && !(await ask())) return;
      for (const [done, file] of files.entries()) {
        setShown({ text: t("folder.progress", { done, count: total }), share: done / total });
        await write(root, file);
        if (isStopped.current) return;
      }
      showToast(t("folder.done", { count: total, folder: root.name }));
    },
    onError: (error) => {
      // The user closed the browser's dialog without choosing a folder.
      if (!(error instanceof DOMException && error.name === "AbortError")) showErrorToast(error);
    },
    onSettled: () => setShown(null),
  });
  const close = (): void => {
    shown?.answer?.(false);
    isStopped.current = true;
  };
  const dialog = (
    <Dialog title={t("folder.title")} isOpen={shown !== null} onClose={close}>
      <div className="flex flex-col gap-4 text-sm tabular-nums">
        {shown?.text}
        {shown?.share !== undefined && <Progress label={t("folder.title")} share={shown.share} />}
        {shown?.answer !== undefined && (
          <div className="flex justify-end gap-2">
            <Button onClick={close}>{t("folder.cancel")}</Button>
            <Button kind="primary" onClick={() => shown.answer?.(true)}>
              {t("folder.replace")}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
  return { save: save.mutate, dialog };
}
