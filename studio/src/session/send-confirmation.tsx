import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";

/** Sends the mail that confirms the signed-in person's address once more, and says so where the button was. */
export function SendConfirmation() {
  const { t } = useTranslation("session");
  const send = useMutation({ mutationFn: () => callAccount("sendConfirmation") });
  if (send.isSuccess) {
    return (
      <p role="status" className="text-sm font-medium">
        {t("confirm.sentAgain", { email: send.data.email })}
      </p>
    );
  }
  return (
    <>
      <Button isBusy={send.isPending} onClick={() => send.mutate()}>
        {t("confirm.sendAgain")}
      </Button>
      <ErrorNote error={send.error} />
    </>
  );
}
