import type { Copy, Family, VisualSlot } from "../../src/renderer/index.ts";

/** What the gallery draws each family from. Files are of samples/. */

export const LOOKS = ["photo", "cut-out", "words"] as const;
export type Look = (typeof LOOKS)[number];

/** One pack: the files in its slots and the words on it. */
export interface GalleryPack {
  readonly family: Family;
  readonly look: Look;
  /** What tells the packs of one look apart: the language of its words. */
  readonly language: string;
  readonly files: Partial<Record<VisualSlot, string>>;
  readonly font: string | null;
  readonly copy: Copy;
  readonly brand: { readonly primaryColor?: string; readonly backgroundColor?: string };
}

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
    font: "fonts/tajawal-bold.ttf",
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

/** Null where the family has no such look: a brand pack is its logo, a scenery is never cut out. */
const FILES: Readonly<Record<Family, { readonly photo: Files | null; readonly "cut-out": Files | null }>> = {
  campaign: {
    photo: { media: "dandelion.jpg", logo: "logo-light.svg" },
    "cut-out": { media: "bottle.png", logo: "logo.svg" },
  },
  duo: {
    photo: { media: "dandelion.jpg", secondaryMedia: "bottle-photo.jpg", logo: "logo-light.svg" },
    "cut-out": { media: "dandelion-turned.jpg", secondaryMedia: "bottle.png", logo: "logo.svg" },
  },
  product: {
    photo: { product: "bottle-photo.jpg", logo: "logo.svg" },
    "cut-out": { product: "bottle.png", logo: "logo.svg" },
  },
  person: {
    photo: { person: "figure.png", background: "dandelion.jpg", logo: "logo-light.svg" },
    "cut-out": { person: "figure.png", logo: "logo.svg" },
  },
  device: {
    photo: { device: "phone.png", background: "dandelion.jpg", logo: "logo-light.svg" },
    "cut-out": { device: "phone.png", logo: "logo.svg" },
  },
  scenery: { photo: { background: "dandelion.jpg", logo: "logo-light.svg" }, "cut-out": null },
  brand: { photo: null, "cut-out": { logo: "logo.svg" } },
};

const WORDS_FILES: Readonly<Record<Family, Files>> = {
  campaign: { media: "dandelion-turned.jpg", logo: "logo-light.svg" },
  duo: { media: "dandelion.jpg", secondaryMedia: "bottle-photo.jpg", logo: "logo-light.svg" },
  product: { product: "bottle.png", logo: "logo.svg" },
  person: { person: "figure.png", logo: "logo.svg" },
  device: { device: "phone.png", logo: "logo.svg" },
  scenery: { background: "dandelion.jpg", logo: "logo-light.svg" },
  brand: { logo: "logo.svg" },
};

export const FAMILIES: readonly Family[] = [
  "campaign",
  "duo",
  "product",
  "person",
  "device",
  "scenery",
  "brand",
];

/** The packs of one family, in the order of the looks; the text-heavy look has one a language. */
export function packsOf(family: Family): readonly GalleryPack[] {
  const plain = (["photo", "cut-out"] as const).flatMap((look): GalleryPack[] => {
    const files = FILES[family][look];
    return files === null
      ? []
      : [{ family, look, language: "English", files, font: null, copy: ENGLISH, brand: {} }];
  });
  const heavy = WORDS.map(
    ({ language, copy, font }): GalleryPack => ({
      family,
      look: "words",
      language,
      files: WORDS_FILES[family],
      font,
      copy,
      brand: {},
    }),
  );
  return [...plain, ...heavy];
}
