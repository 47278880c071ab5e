import type { LibraryFile } from "./library-file.ts";

/** Made by `npm run fonts` from the packages that it names. A change of a hash changes pixels: a new engine version. */

/** Which file of the library has which characters; see fallback-index.ts. */
export const FALLBACK_INDEX: LibraryFile = {
  name: "fallback-index.bin",
  sha256: "291611de1b5f881be286b38d73a4c542f1df1651987683c32ede5de236fc92f2",
};

/** Fonts of the looks, by their names without `.ttf`. */
export const LOOK_FONTS = {
  "archivo-black-regular": {
    name: "archivo-black-regular.ttf",
    sha256: "4b7fdc888bb038ed389c9d5586ad00f569e3e1244e120a13ae9c67e0934ea2bc",
  },
  "fredoka-medium": {
    name: "fredoka-medium.ttf",
    sha256: "4d615dbc3525081a4e56216441d3ecde05e914f0ac5555b81ebe1d894477ff1a",
  },
  "fredoka-bold": {
    name: "fredoka-bold.ttf",
    sha256: "f9ae2d2ca8ad732c9c2548fe20a27a9b3904114ae7d877a9ed4a394897f3aeee",
  },
  "jost-light": {
    name: "jost-light.ttf",
    sha256: "3b0140cbb17db73c695c9c1cf06441a598f1b15b472cd42a70da63e0282dd1ed",
  },
  "jost-regular": {
    name: "jost-regular.ttf",
    sha256: "80279c685759650b9628890963f3632d5a5d87529035e154158e054a661f50d1",
  },
  "marcellus-regular": {
    name: "marcellus-regular.ttf",
    sha256: "c81a5c362ffffe39aacf82c362e3ebb7f21d505abed944b63be5d3193cd66f6a",
  },
  "noto-serif-display-medium": {
    name: "noto-serif-display-medium.ttf",
    sha256: "a7c060f3333c70cc023fe702a18e93dcf8dceba48b9e14b75bd744769b54f901",
  },
  "sofia-sans-extra-condensed-black": {
    name: "sofia-sans-extra-condensed-black.ttf",
    sha256: "ffe422f3f609f5da816276a216b1928f30ee3dece643bb450479c6da1f0697e0",
  },
} as const satisfies Readonly<Record<string, LibraryFile>>;

/** Models of where phrases end, by language. */
export const PHRASE_MODELS: Readonly<Record<string, LibraryFile>> = {
  ja: {
    name: "phrases-ja.json",
    sha256: "fc938c0c28abe71042c561f47006e509d1631391c74e7ec5902c3ad184355290",
  },
  th: {
    name: "phrases-th.json",
    sha256: "adc3304b66e92baf83eeb158447f562f844dd41eca95ede6858c6fe28bdb9f3a",
  },
  "zh-hans": {
    name: "phrases-zh-hans.json",
    sha256: "6999aa5fa8d24bed376012ecce067c06fe05c8442f05812ac934e6d606036386",
  },
  "zh-hant": {
    name: "phrases-zh-hant.json",
    sha256: "d8d096efccb6810e3f31a6c484dae22f524a54b1ae9fd41f681d999270ea2ff9",
  },
};

/** Patterns of hyphenation, by language. */
export const HYPHENATION: Readonly<Record<string, LibraryFile>> = {
  cs: {
    name: "hyphens-cs.json",
    sha256: "5592d13dd9596579a22dc6ddfc36088aebf8b5ec4051b03ecd2579c8e4225fd6",
  },
  da: {
    name: "hyphens-da.json",
    sha256: "f3fd59abeca15d9054d59505c181e1d95225a1aa7c481c1a01e80633f585fc00",
  },
  de: {
    name: "hyphens-de.json",
    sha256: "f3087872726525c2d3f48a05d9bf58d2852aba9dfddd88dd896a927f917f4f7a",
  },
  el: {
    name: "hyphens-el.json",
    sha256: "bded1125cb8908185647eed10b3f5a9ff686ec8a053ca71201975bd05ac59b10",
  },
  "en-gb": {
    name: "hyphens-en-gb.json",
    sha256: "d63783e245bede09f5668d6b019f1fdb7e9317fee3d0f72029f386c8ec659054",
  },
  "en-us": {
    name: "hyphens-en-us.json",
    sha256: "41501c5226c6940d5d58bcc360baf0d96a507963cb4ccbb6dec7bf1a755ed418",
  },
  es: {
    name: "hyphens-es.json",
    sha256: "76897cb049e7e5821e34ccfa94f2b847de9d05973a1bc3ad58c1d54c14855738",
  },
  fi: {
    name: "hyphens-fi.json",
    sha256: "9c980ef1f4652a98a13f6be6e3988dd40ebca7a87cbb22e7db786615d8e5e2ca",
  },
  fr: {
    name: "hyphens-fr.json",
    sha256: "33780bcab01c635c547e133bc188fb2773c910112443b0aa604ac1a66fd674ce",
  },
  it: {
    name: "hyphens-it.json",
    sha256: "8c14f09815f42ac63725529bcf439add95312bae75704519c4f8526f7a4be64a",
  },
  nb: {
    name: "hyphens-nb.json",
    sha256: "b92118a3783f5b5afa76d2a1ac36d744e2b7399c6e35fecaa7d2eca4c0311ae3",
  },
  nl: {
    name: "hyphens-nl.json",
    sha256: "b316573646e8354e1e4bf94e8bdbaf181aed724c832ed2ce412f9f0b970f769a",
  },
  pl: {
    name: "hyphens-pl.json",
    sha256: "c35fb535d87e25b50830cba2bbdebfec8d754eaedd8886173b21b6a9a6d42f5b",
  },
  pt: {
    name: "hyphens-pt.json",
    sha256: "e31732f24cca2608d81f23e04c916ae51e829ef3c79d41e72a3a710e527883c7",
  },
  ru: {
    name: "hyphens-ru.json",
    sha256: "f54cb0fb1cbb32ee11fc3facb405c16d255cbbb7436ca739b7904a305d8554ed",
  },
  sv: {
    name: "hyphens-sv.json",
    sha256: "073cac990d82f526e6faca3b472f7fc16e20b84244385161e372c7451244886a",
  },
  tr: {
    name: "hyphens-tr.json",
    sha256: "df4a6be6f6a072d35654be9b1c6f32ae257efe1b700c6a62ccb2af64b004fbc1",
  },
  uk: {
    name: "hyphens-uk.json",
    sha256: "02fe42fbd678b28824ec452313e99e3f63563e942bcc59a90342451d2f0613cf",
  },
};
