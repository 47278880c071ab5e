import type { LookId } from "#catalogue/looks.ts";
import { type Brand, type Copy, FAMILIES, type Family, type VisualSlot } from "#renderer/index.ts";

/** The packs of the gallery. */

/** `photo`, `cut-out` and `words`: each family in the look classic; `looks`: in every look; `brands`: eight brands. */
export const SETS = ["photo", "cut-out", "words", "looks", "brands"] as const;
type PackSet = (typeof SETS)[number];

/** One pack: the files in its slots and its text. */
export interface GalleryPack {
  readonly family: Family;
  readonly set: PackSet;
  /** Name of the look or brand that distinguishes the pack from others of its set. */
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

/** Long text in every field, in scripts and words that are hard to lay out. */
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

const DARK = { logo: sample("logo.svg") };
const LIGHT = { logo: sample("logo-light.svg") };
const PHOTO = sample("dandelion.jpg");
const TURNED = sample("dandelion-turned.jpg");
const BOTTLE = sample("bottle.png");
const BOTTLE_PHOTO = sample("bottle-photo.jpg");
const PERSON = sample("figure.png");
const DEVICE = sample("phone.png");
const TWO_PHOTOS: Files = { media: PHOTO, secondaryMedia: BOTTLE_PHOTO, ...LIGHT };

/** Null if the family has no such set: a brand pack has only a logo, and scenery is never cut out. */
const FILES: Readonly<Record<Family, Readonly<Record<"photo" | "cut-out" | "words", Files | null>>>> = {
  campaign: {
    photo: { media: PHOTO, ...LIGHT },
    "cut-out": { media: BOTTLE, ...DARK },
    words: { media: TURNED, ...LIGHT },
  },
  duo: {
    photo: TWO_PHOTOS,
    "cut-out": { media: TURNED, secondaryMedia: BOTTLE, ...DARK },
    words: TWO_PHOTOS,
  },
  product: {
    photo: { product: BOTTLE_PHOTO, ...DARK },
    "cut-out": { product: BOTTLE, ...DARK },
    words: { product: BOTTLE, ...DARK },
  },
  person: {
    photo: { person: PERSON, background: PHOTO, ...LIGHT },
    "cut-out": { person: PERSON, ...DARK },
    words: { person: PERSON, ...DARK },
  },
  device: {
    photo: { device: DEVICE, background: PHOTO, ...LIGHT },
    "cut-out": { device: DEVICE, ...DARK },
    words: { device: DEVICE, ...DARK },
  },
  scenery: {
    photo: { background: PHOTO, ...LIGHT },
    "cut-out": null,
    words: { background: PHOTO, ...LIGHT },
  },
  brand: { photo: null, "cut-out": DARK, words: DARK },
};

/** The packs of one family in the look classic. The text-heavy set has one pack per language. */
export function packsOf(family: Family): readonly GalleryPack[] {
  const pack = (
    set: keyof (typeof FILES)[Family],
    { language, copy, font }: Words,
  ): readonly GalleryPack[] => {
    const files = FILES[family][set];
    if (files === null) return [];
    return [{ look: "classic", brand: {}, family, set, name: set, language, files, font, copy }];
  };
  const english: Words = { language: "English", copy: ENGLISH, font: null };
  const heavy = WORDS.flatMap((words) => pack("words", words));
  return [...pack("photo", english), ...pack("cut-out", english), ...heavy];
}

/** Folder of a pack's images; unique per family, set and name. */
export const folderOf = ({ family, set, name }: GalleryPack): string =>
  set === "brands" ? `brands/${name}` : set === "looks" ? `${family}/looks/${name}` : `${family}/${set}`;

/** Chapters of the gallery: one per family, and one for the brands. */
export const chapterOf = ({ family, set }: GalleryPack): string => (set === "brands" ? "brands" : family);
export const CHAPTERS: readonly string[] = ["brands", ...FAMILIES];

/** Parts of a chapter in order: the sets, with one part per look and brand. */
export function partsOf(packs: readonly GalleryPack[]): readonly string[] {
  const ordered = [...packs].sort((one, other) => SETS.indexOf(one.set) - SETS.indexOf(other.set));
  return [...new Set(ordered.map(partOf))];
}
export const partOf = ({ set, name, look }: GalleryPack): string =>
  set === "looks" ? `look ${name}` : set === "brands" ? `${name} (${look})` : set;
