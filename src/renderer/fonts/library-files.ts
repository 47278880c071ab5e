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
