import type { LookId } from "#catalogue/looks.ts";
import { type Brand, type Copy, FAMILIES, type Family, type VisualSlot } from "#renderer/index.ts";

/** What the gallery draws each family from. */

/** `photo`, `cut-out` and `words`: each family in the look classic; `looks`: in every look; `brands`: of eight brands. */
export const SETS = ["photo", "cut-out", "words", "looks", "brands"] as const;
type PackSet = (typeof SETS)[number];

/** One pack: the files in its slots and the words on it. */
export interface GalleryPack {
  readonly family: Family;
  readonly set: PackSet;
  /** What tells the packs of a set apart: a look, a brand. */
  readonly name: string;
  readonly look: LookId;
  readonly language: string;
  /** Paths from the project's root. */
  readonly files: Partial<Record<VisualSlot, string>>;
  readonly font: string | null;
  readonly copy: Copy;
  readonly brand: Brand;
}

export const sample = (name: string): string => `samples/${name}`;

type Files = GalleryPack["files"];

const ENGLISH: Copy = {
  headline: "Soft as the first warm day",
  subheadline: "Body oil from meadow flowers, pressed cold in small batches.",
  cta: "Find yours",
  disclaimer: "100 ml. While the season lasts.",
};

interface Words {
  readonly language: string;
  readonly copy: Copy;
  readonly font: string | null;
}

/** Text-heavy: every field filled, scripts and words that strain a layout. */
const WORDS: readonly Words[] = [
  {
    language: "Arabic",
    font: sample("fonts/tajawal-bold.ttf"),
    copy: {
      headline: "نعومة أول يوم دافئ من أيام الربيع على بشرتك كل صباح",
      subheadline: "زيت للجسم من أزهار المروج، معصور على البارد بكميات صغيرة، بلا عطور صناعية.",
      cta: "اكتشفي زيتك",
      disclaimer: "١٠٠ مل. العرض سارٍ حتى نفاد الكمية، ولا يُجمع مع عروض أخرى.",
    },
  },
  {
    language: "Greek",
    font: null,
    copy: {
      headline: "Απαλό σαν την πρώτη ζεστή μέρα της άνοιξης στο δέρμα σας",
      subheadline: "Λάδι σώματος από λουλούδια του λιβαδιού, ψυχρής έκθλιψης, σε μικρές παρτίδες.",
      cta: "Βρείτε το δικό σας",
      disclaimer: "100 ml. Ισχύει μέχρι εξαντλήσεως των αποθεμάτων. Δεν συνδυάζεται με άλλες προσφορές.",
    },
  },
  {
    language: "German",
    font: null,
    copy: {
      headline: "Unverwechselbares Wildblumenkörperöl",
      subheadline:
        "Kaltgepresst in Kleinstmengen aus Wiesenblütensamen, dermatologisch verträglichkeitsgeprüft.",
      cta: "Jetzt entdecken",
      disclaimer: "100 ml. Grundpreis 249,00 €/l. Nur solange der Vorrat reicht. Versandkostenfrei ab 39 €.",
    },
  },
];

/** Null where the family has no such set: a brand pack is its logo, a scenery is never cut out. */
const FILES: Readonly<Record<Family, { readonly photo: Files | null; readonly "cut-out": Files | null }>> = {
  campaign: {
    photo: { media: sample("dandelion.jpg"), logo: sample("logo-light.svg") },
    "cut-out": { media: sample("bottle.png"), logo: sample("logo.svg") },
  },
  duo: {
    photo: {
      media: sample("dandelion.jpg"),
      secondaryMedia: sample("bottle-photo.jpg"),
      logo: sample("logo-light.svg"),
    },
    "cut-out": {
      media: sample("dandelion-turned.jpg"),
      secondaryMedia: sample("bottle.png"),
      logo: sample("logo.svg"),
    },
  },
  product: {
    photo: { product: sample("bottle-photo.jpg"), logo: sample("logo.svg") },
    "cut-out": { product: sample("bottle.png"), logo: sample("logo.svg") },
  },
  person: {
    photo: {
      person: sample("figure.png"),
      background: sample("dandelion.jpg"),
      logo: sample("logo-light.svg"),
    },
    "cut-out": { person: sample("figure.png"), logo: sample("logo.svg") },
  },
  device: {
    photo: {
      device: sample("phone.png"),
      background: sample("dandelion.jpg"),
      logo: sample("logo-light.svg"),
    },
    "cut-out": { device: sample("phone.png"), logo: sample("logo.svg") },
  },
  scenery: {
    photo: { background: sample("dandelion.jpg"), logo: sample("logo-light.svg") },
    "cut-out": null,
  },
  brand: { photo: null, "cut-out": { logo: sample("logo.svg") } },
};

const WORDS_FILES: Readonly<Record<Family, Files>> = {
  campaign: { media: sample("dandelion-turned.jpg"), logo: sample("logo-light.svg") },
  duo: {
    media: sample("dandelion.jpg"),
    secondaryMedia: sample("bottle-photo.jpg"),
    logo: sample("logo-light.svg"),
  },
  product: { product: sample("bottle.png"), logo: sample("logo.svg") },
  person: { person: sample("figure.png"), logo: sample("logo.svg") },
  device: { device: sample("phone.png"), logo: sample("logo.svg") },
  scenery: { background: sample("dandelion.jpg"), logo: sample("logo-light.svg") },
  brand: { logo: sample("logo.svg") },
};

const COMMON = { look: "classic", brand: {} } as const;

/** The packs of one family in the look classic; the text-heavy set has one a language. */
export function packsOf(family: Family): readonly GalleryPack[] {
  const plain = (["photo", "cut-out"] as const).flatMap((set): GalleryPack[] => {
    const files = FILES[family][set];
    return files === null
      ? []
      : [{ ...COMMON, family, set, name: set, language: "English", files, font: null, copy: ENGLISH }];
  });
  const heavy = WORDS.map(
    ({ language, copy, font }): GalleryPack => ({
      ...COMMON,
      family,
      set: "words",
      name: "words",
      language,
      files: WORDS_FILES[family],
      font,
      copy,
    }),
  );
  return [...plain, ...heavy];
}

/** Where a pack's pictures lie; unique to its family, set and name. */
export const folderOf = ({ family, set, name }: GalleryPack): string =>
  set === "brands" ? `brands/${name}` : set === "looks" ? `${family}/looks/${name}` : `${family}/${set}`;

/** Sheets and chapters of the gallery: one a family, and one of the brands. */
export const chapterOf = ({ family, set }: GalleryPack): string => (set === "brands" ? "brands" : family);
export const CHAPTERS: readonly string[] = ["brands", ...FAMILIES];

/** Parts of a chapter, in order: the sets, and of looks and brands each one. */
export function partsOf(packs: readonly GalleryPack[]): readonly string[] {
  const ordered = [...packs].sort((one, other) => SETS.indexOf(one.set) - SETS.indexOf(other.set));
  return [...new Set(ordered.map(partOf))];
}
export const partOf = ({ set, name, look }: GalleryPack): string =>
  set === "looks" ? `look ${name}` : set === "brands" ? `${name} (${look})` : set;
