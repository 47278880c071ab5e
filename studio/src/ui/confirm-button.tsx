import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyle } from "./button.tsx";
import { showErrorToast } from "./toast.ts";

interface ConfirmButtonProps {
  /** Label of the button, and of the confirming button in the dialog. */
  readonly text: string;
  /** Question that asks for confirmation. */
  readonly question: string;
  /** Explains the consequence of the action. */
  readonly consequence: ReactNode;
  /** Runs the action and closes the dialog. On an error, shows a toast and stays open. */
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for an irreversible action, with a confirmation dialog. */
export function ConfirmButton(confirm: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {confirm.text}
      </Button>
      <ConfirmDialog {...confirm} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

interface ConfirmDialogProps extends ConfirmButtonProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog alone, for a menu item. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { text, question, consequence, onConfirm, isOpen, onClose } = props;
  const { t } = useTranslation();
  const run = useMutation({ mutationFn: onConfirm, onSuccess: onClose, onError: showErrorToast });
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-1.5rem)] w-[calc(100vw-1.5rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-paper p-5 shadow-2xl outline-none">
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
