import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyle } from "./button.tsx";
import { tellError } from "./toast.ts";

interface ConfirmButtonProps {
  /** On the button, and on the one that does it. */
  readonly text: string;
  /** What is about to be done, as a question. */
  readonly question: string;
  /** What follows from it. */
  readonly consequence: ReactNode;
  /** Does it; the window closes once it is done. What it throws is told, and the window stays. */
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be taken back: it asks first. */
export function ConfirmButton({ text, question, consequence, onConfirm }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const run = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => setIsOpen(false),
    onError: tellError,
  });
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <AlertDialog.Trigger className={buttonStyle("quiet")}>{text}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-50 flex w-[calc(100vw-1.5rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-3 rounded-lg border border-line bg-paper p-5 shadow-2xl outline-none">
          <AlertDialog.Title className="text-base font-semibold">{question}</AlertDialog.Title>
          <AlertDialog.Description className="text-sm text-quiet">{consequence}</AlertDialog.Description>
          <div className="mt-2 flex justify-end gap-2">
            <AlertDialog.Close className={buttonStyle("secondary")}>{t("cancel")}</AlertDialog.Close>
            <Button kind="danger" isBusy={run.isPending} onClick={() => run.mutate()}>
              {text}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
