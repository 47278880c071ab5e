import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog.tsx";
import { Secret } from "#ui/secret.tsx";

interface SigningSecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a webhook's secret, this once. */
export function SigningSecretDialog({ secret, onClose }: SigningSecretDialogProps) {
  const { t } = useTranslation("destinations");
  return (
    <Dialog title={t("secret.title")} isOpen onClose={onClose}>
      <Secret label={t("secret.label")} text={secret} note={t("secret.note")} />
    </Dialog>
  );
}
