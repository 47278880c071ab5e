import { difficult, face, type MarkedPicture, picturesIn } from "./marks.ts";

const picture = picturesIn("material-kit/assets/img");

export const MATERIAL_KIT: readonly MarkedPicture[] = [
  picture("faces/avatar.jpg", [400, 400], face([166, 85, 82, 120], "light", "covered")),
  picture("faces/camp.jpg", [400, 400], face([137, 80, 133, 180], "light")),
  picture("faces/card-profile1-square.jpg", [400, 400], face([47, 85, 140, 155], "light", "beard")),
  picture(
    "faces/card-profile2-square.jpg",
    [400, 400],
    face([40, 136, 104, 172], "light", "looking down", "tilted"),
  ),
  picture(
    "faces/card-profile4-square.jpg",
    [400, 400],
    face([205, 126, 104, 117], "medium", "covered", "tilted"),
  ),
  picture("faces/card-profile5-square.jpg", [400, 400], face([90, 83, 137, 160], "light")),
  picture("faces/card-profile6-square.jpg", [400, 400], face([209, 115, 90, 140], "medium", "hat")),
  picture("faces/christian.jpg", [400, 400], face([143, 112, 145, 146], "light", "hat", "beard")),
  picture("faces/kendall.jpg", [400, 400], face([100, 65, 210, 255], "light", "glasses")),
  picture("faces/marc.jpg", [400, 400], face([100, 86, 201, 210], "light", "beard", "low light")),
  picture(
    "examples/clem-onojegaw.jpg",
    [550, 862],
    face([196, 185, 112, 130], "dark", "glasses", "looking down"),
    difficult([15, 230, 62, 70], "light", "blurred"),
  ),
  picture(
    "examples/mariya-georgieva.jpg",
    [515, 468],
    face([140, 88, 54, 58], "medium", "hat", "glasses", "beard"),
    face([231, 110, 44, 50], "light", "glasses", "beard"),
    face([360, 70, 62, 60], "medium", "glasses"),
    face([24, 182, 36, 36], "light", "glasses", "cropped"),
  ),
  picture(
    "examples/studio-1.jpg",
    [510, 340],
    difficult([90, 140, 110, 95], "light", "hat", "beard", "looking down"),
  ),
  picture("examples/studio-2.jpg", [550, 761], face([246, 174, 56, 62], "light", "profile", "glasses")),
  picture(
    "examples/studio-3.jpg",
    [550, 761],
    face([246, 32, 58, 70], "light", "profile", "glasses", "hat", "black and white"),
  ),
  picture(
    "examples/studio-5.jpg",
    [550, 761],
    difficult([325, 190, 75, 75], "light", "covered", "looking down"),
  ),
  picture("profile.jpg", [1400, 799], face([685, 275, 48, 60], "light", "hat", "beard")),
  picture("examples/olu-eletu.jpg", [540, 373], difficult([260, 0, 90, 60], "dark", "cropped", "beard")),
  picture("bg.jpg", [1000, 517]),
  picture("bg2.jpg", [1740, 900]),
  picture("bg3.jpg", [1450, 750]),
  picture("bg7.jpg", [2000, 1339]),
  picture("city-profile.jpg", [1740, 900]),
  picture("city.jpg", [1740, 900]),
  picture("examples/clem-onojeghuo.jpg", [544, 444]),
  picture("examples/cynthia-del-rio.jpg", [507, 424]),
  picture("examples/studio-4.jpg", [510, 340]),
  picture("landing.jpg", [1400, 800]),
  picture("profile_city.jpg", [2900, 1500]),
];
