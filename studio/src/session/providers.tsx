import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { serviceQuery } from "#api/queries.ts";
import { noteSignedIn } from "#api/signed-in-note.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { keepNext } from "./open-workspaces.ts";

type Provider = "github" | "google";

interface ProvidersProps {
  /** Path to open after sign-in; undefined for the start page. */
  readonly next: string | undefined;
}

/** Sign-in providers that this origin has configured. */
export function Providers({ next }: ProvidersProps) {
  const { t } = useTranslation("session");
  const { data } = useQuery(serviceQuery);
  const start = useMutation({
    mutationFn: (provider: Provider) => callAccount("startOAuth", { path: { provider } }),
    onSuccess: ({ url }) => {
      noteSignedIn();
      keepNext(next);
      location.assign(url);
    },
  });
  const providers = data?.oauthProviders ?? [];
  if (providers.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-center text-xs text-quiet">{t("or")}</p>
      {providers.map((provider) => (
        <Button key={provider} onClick={() => start.mutate(provider)} isBusy={start.isPending}>
          {t(`with.${provider}`)}
        </Button>
      ))}
      <ErrorNote error={start.error} />
    </div>
  );
}
