import type { BackendModule } from "i18next";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

/** Texts of each part of the Studio, by their English files, against which keys are type-checked. */

interface Parts {
  audit: typeof import("./en/audit.json");
  billing: typeof import("./en/billing.json");
  brands: typeof import("./en/brands.json");
  bulk: typeof import("./en/bulk.json");
  common: typeof import("./en/common.json");
  destinations: typeof import("./en/destinations.json");
  editor: typeof import("./en/editor.json");
  keys: typeof import("./en/keys.json");
  packs: typeof import("./en/packs.json");
  people: typeof import("./en/people.json");
  session: typeof import("./en/session.json");
  settings: typeof import("./en/settings.json");
  share: typeof import("./en/share.json");
  statement: typeof import("./en/statement.json");
  usage: typeof import("./en/usage.json");
  grid: typeof import("./en/grid.json");
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    nsSeparator: false;
    resources: Parts;
  }
}

/** The Studio's languages, each in its own name. A language is a folder beside this file. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "creative-packs.language";

const isLanguage = (value: unknown): value is Language => typeof value === "string" && value in LANGUAGES;

/** Each part has a file of texts, which is loaded with it. */
const files = import.meta.glob<{ default: object }>("./{en,de}/*.json");

/** The file that last caused a reload of the page. */
const MISSED = "creative-packs.missed-words";

/** A deployment may have removed a file: reload the page once, as for a missing script. */
async function readWords(path: string): Promise<object> {
  try {
    const words = (await files[path]?.())?.default ?? {};
    if (sessionStorage.getItem(MISSED) === path) sessionStorage.removeItem(MISSED);
    return words;
  } catch (error) {
    if (!navigator.onLine) {
      // Components wait for the connection: otherwise they would show text keys.
      await new Promise((resolve) => window.addEventListener("online", resolve, { once: true }));
      return readWords(path);
    }
    if (sessionStorage.getItem(MISSED) === path) throw error;
    sessionStorage.setItem(MISSED, path);
    location.reload();
    // Until then, components that need the texts wait.
    return new Promise(() => {});
  }
}

const backend: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, part) => readWords(`./${language}/${part}.json`),
};

/** The user's choice, else the browser's preference, else English. */
function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

const tellDocument = (language: string): void => {
  document.documentElement.lang = language;
};

/** Loads the texts that every page needs, in the user's language. Resolves once they can be rendered. */
export async function startWords(): Promise<void> {
  i18next.on("languageChanged", tellDocument);
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: firstLanguage(),
      fallbackLng: "en",
      ns: ["common" satisfies keyof Parts],
      defaultNS: "common",
      // Scopes have a colon in their names, so no key may use it as a separator.
      nsSeparator: false,
      // React escapes already.
      interpolation: { escapeValue: false },
    });
}

/** The page's language. */
export const shownLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : "en");

/** Changes the page's language at once and stores the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await i18next.changeLanguage(language);
}

export const languages: readonly Language[] = ["en", "de"];
