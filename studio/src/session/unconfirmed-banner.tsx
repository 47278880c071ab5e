import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { serviceQuery, sessionQuery } from "#api/queries.ts";
import { SendConfirmation } from "./send-confirmation.tsx";

/**
 * Whose address is not confirmed is told so, and what it is for, where the service can send mail. The session is read anew
 * whenever the page is looked at, so that the note goes once the mail's link was opened in another tab.
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
      <SendConfirmation />
    </section>
  );
}
