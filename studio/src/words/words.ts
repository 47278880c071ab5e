import type { BackendModule } from "i18next";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

/** The words of each part of the Studio, by their English files: keys are checked against these. */

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

/** The languages of the Studio, each in its own name. A language is a folder beside this file. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "creative-packs.language";

const isLanguage = (value: unknown): value is Language => typeof value === "string" && value in LANGUAGES;

/** Each part of the Studio has a file of words, which comes with the part. */
const files = import.meta.glob<{ default: object }>("./{en,de}/*.json");

/** The file that the page was last loaded anew for. */
const MISSED = "creative-packs.missed-words";

/** A file may be gone since another version was deployed: the page is loaded anew, once, as for a page's script. */
async function readWords(path: string): Promise<object> {
  try {
    const words = (await files[path]?.())?.default ?? {};
    if (sessionStorage.getItem(MISSED) === path) sessionStorage.removeItem(MISSED);
    return words;
  } catch (error) {
    if (!navigator.onLine) {
      // What needs the words waits for the connection: without them a page would show the names of its texts.
      await new Promise((resolve) => window.addEventListener("online", resolve, { once: true }));
      return readWords(path);
    }
    if (sessionStorage.getItem(MISSED) === path) throw error;
    sessionStorage.setItem(MISSED, path);
    location.reload();
    // Until then, what needs the words waits.
    return new Promise(() => {});
  }
}

const backend: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, part) => readWords(`./${language}/${part}.json`),
};

/** What the person chose, else what the browser prefers, else English. */
function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

const tellDocument = (language: string): void => {
  document.documentElement.lang = language;
};

/** Loads the words that every page needs, in the person's language. Resolves once texts can be drawn. */
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
      // Scopes have a colon in their names, and no key names its part.
      nsSeparator: false,
      // React escapes by itself.
      interpolation: { escapeValue: false },
    });
}

/** The language that the page is in. */
export const shownLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : "en");

/** Changes the language of the page at once and keeps the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await i18next.changeLanguage(language);
}

export const languages: readonly Language[] = ["en", "de"];
