import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { endSession, sessionQuery } from "#api/queries.ts";
import { Menu } from "#ui/menu.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { chooseLanguage, LANGUAGES, languages } from "#words/words.ts";
import { THEMES, useTheme } from "./theme.ts";

/** The account menu: language, theme, documentation, sign-out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const [theme, chooseTheme] = useTheme();
  const signOut = useMutation({
    mutationFn: async ({ isDataRemoved }: { readonly isDataRemoved: boolean }) => {
      await callAccount("signOut");
      if (isDataRemoved) await removeDeviceData();
    },
    onError: showErrorToast,
    onSuccess: async (_, { isDataRemoved }) => {
      if (isDataRemoved) return location.replace("/");
      endSession();
      await navigate({ to: "/" });
    },
  });
  return (
    <Menu
      label={t("account.menu")}
      text={
        <span className="-mx-2 flex size-7 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent">
          {session?.account.name.slice(0, 1).toUpperCase() ?? "…"}
        </span>
      }
    >
      <Menu.Heading>{session?.account.email ?? ""}</Menu.Heading>
      <Menu.Choice
        label={t("language")}
        value={i18n.language}
        options={languages.map((value) => ({ value, text: LANGUAGES[value] }))}
        onChange={(value) => chooseLanguage(value)}
      />
      <Menu.Choice
        label={t("theme.label")}
        value={theme}
        options={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
        onChange={chooseTheme}
      />
      <Menu.Separator />
      <Menu.Link href="/docs">{t("docs")}</Menu.Link>
      <Menu.Item onClick={() => signOut.mutate({ isDataRemoved: false })}>{t("account.signOut")}</Menu.Item>
      <Menu.Item onClick={() => signOut.mutate({ isDataRemoved: true })}>
        {t("account.signOutAndRemove")}
      </Menu.Item>
    </Menu>
  );
}

/**
 * Deletes all data of this origin in the browser, for every account: drafts and their files, settings, and caches.
 * Reload the page afterwards, because it no longer stores drafts.
 */
async function removeDeviceData(): Promise<void> {
  const { dropAllDrafts } = await import("#editor/draft/draft-storage.ts");
  await dropAllDrafts();
  localStorage.clear();
  sessionStorage.clear();
  // `caches` needs https.
  if (!("caches" in globalThis)) return;
  for (const name of await caches.keys()) await caches.delete(name);
}
