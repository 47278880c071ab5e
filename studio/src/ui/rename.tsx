import { useMutation } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import Pencil from "lucide-react/icons/pencil";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog.tsx";
import { Form, textOf } from "./form.tsx";
import { TextField } from "./text-field.tsx";

interface RenameProps {
  /** The current name; empty if there is none. */
  readonly name: string;
  /** Shown if there is no name. */
  readonly fallback: string;
  readonly onRename: (name: string) => unknown;
}

/** Dialog for a name; an empty one removes the name. */
export function RenameDialog({
  name,
  fallback,
  onRename,
  onClose,
}: RenameProps & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const sending = useMutation({
    mutationFn: async (form: FormData) => onRename(textOf(form, "name").trim()),
    onSuccess: onClose,
  });
  return (
    <Dialog title={t("rename")} isOpen onClose={onClose}>
      <Form sending={sending} submit={t("save")}>
        <TextField
          label={t("packName")}
          name="name"
          defaultValue={name}
          placeholder={fallback}
          maxLength={LIMITS.jobNameCharactersMax}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}

/** Button beside a name that opens the dialog. */
export function RenameButton(rename: RenameProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={t("rename")}
        onClick={() => setIsOpen(true)}
        className="ml-1 inline-flex size-8 items-center justify-center rounded-md align-middle text-quiet hover:bg-sunk hover:text-ink"
      >
        <Pencil size={16} />
      </button>
      {isOpen && <RenameDialog {...rename} onClose={() => setIsOpen(false)} />}
    </>
  );
}
