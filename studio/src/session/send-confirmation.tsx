import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { serviceQuery, sessionQuery } from "#api/queries.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";

/** Button that resends the confirmation email; replaced by a note once sent. */
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

/**
 * Banner for an unconfirmed address, if the service can send mail. Refetches the session on focus, so that it
 * disappears once the link was opened in another tab.
 */
export function UnconfirmedBanner() {
  const { t } = useTranslation("session");
  const { data: service } = useQuery(serviceQuery);
  const { data: session } = useQuery({ ...sessionQuery, refetchOnWindowFocus: "always" });
  if (service?.mail !== true || session == null || session.account.isEmailConfirmed) return null;
  return (
    <section
      aria-label={t("confirm.banner")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b print:hidden border-line bg-amber-soft px-4 py-2 text-sm sm:px-8"
    >
      <p className="min-w-0 flex-1 basis-80">{t("confirm.ask", { email: session.account.email })}</p>
      {service.mailbox !== null && (
        <a href={service.mailbox} target="_blank" rel="noreferrer" className="underline underline-offset-2">
          {t("confirm.mailbox")}
        </a>
      )}
      <SendConfirmation />
    </section>
  );
}
