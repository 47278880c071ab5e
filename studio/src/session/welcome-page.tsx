import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonStyle } from "#ui/button.tsx";
import { Mark } from "#ui/page.tsx";
import picture from "./welcome-pack.webp";

const PICTURE_PX = { width: 976, height: 693 };
const POINTS = ["grid", "rules", "price"] as const;

/** Start page for signed-out visitors. It shows a real pack and what the service does. */
export function WelcomePage() {
  const { t } = useTranslation("session");
  const { t: common } = useTranslation();
  return (
    <div className="mx-auto flex min-h-dvh max-w-7xl flex-col px-5 sm:px-8">
      <title>{common("name")}</title>
      <header className="flex h-16 items-center justify-between gap-4">
        <p className="flex items-center gap-2 font-semibold tracking-tight">
          <Mark />
          {common("name")}
        </p>
        <Link to="/sign-in" className={buttonStyle("quiet")}>
          {t("welcome.signIn")}
        </Link>
      </header>
      <main className="flex flex-1 flex-col justify-center gap-14 py-8 lg:gap-16">
        <div className="grid items-center gap-10 lg:grid-cols-[5fr_7fr] lg:gap-14">
          <div className="flex flex-col items-start gap-6">
            <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
              {t("welcome.title")}
            </h1>
            <p className="max-w-xl text-lg text-quiet">{t("welcome.lead")}</p>
            <Link to="/sign-up" className={`${buttonStyle("primary")} min-h-11 px-5 text-base`}>
              {t("welcome.start")}
            </Link>
          </div>
          <img src={picture} alt={t("welcome.picture")} {...PICTURE_PX} className="h-auto w-full" />
        </div>
        <ul className="grid gap-8 border-t border-line pt-8 sm:grid-cols-3">
          {POINTS.map((point) => (
            <li key={point} className="flex flex-col gap-1.5">
              <h2 className="font-semibold">{t(`welcome.points.${point}.title`)}</h2>
              <p className="max-w-sm text-sm text-quiet">{t(`welcome.points.${point}.text`)}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className="py-6 text-sm text-quiet">
        <a href="/docs" className="underline underline-offset-2 hover:text-ink">
          {t("welcome.developers")}
        </a>
      </footer>
    </div>
  );
}
