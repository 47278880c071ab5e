import { difficult, drawn, face, type MarkedPicture, picturesIn } from "./marks.ts";

const picture = picturesIn("paper-kit-2/assets/img");

export const PAPER_KIT_2: readonly MarkedPicture[] = [
  picture("faces/ayo-ogunseinde-2.jpg", [400, 400], face([131, 65, 150, 195], "dark", "beard")),
  picture(
    "faces/clem-onojeghuo-2.jpg",
    [400, 400],
    face([164, 166, 78, 82], "dark", "hat", "glasses", "beard"),
  ),
  picture(
    "faces/clem-onojeghuo-3.jpg",
    [400, 400],
    face([152, 110, 89, 90], "light", "hat", "glasses", "beard"),
    difficult([319, 66, 34, 40], "light", "blurred"),
  ),
  picture("faces/erik-lucatero-2.jpg", [400, 400], face([100, 115, 208, 255], "light")),
  picture("faces/joe-gardner-2.jpg", [400, 400], face([150, 45, 112, 153], "light", "hat")),
  picture("faces/kaci-baum-2.jpg", [400, 400], face([153, 65, 100, 142], "light", "hat")),
  picture("examples/profile-page.JPG", [1540, 884], face([755, 283, 46, 70], "light", "hat")),
  picture("placeholder.jpg", [200, 200], drawn([30, 40, 140, 130])),
  picture("antoine-barres.jpg", [2661, 1490]),
  picture("bruno-abatti.jpg", [1440, 960]),
  picture("daniel-olahs.jpg", [1440, 827]),
  picture("fabio-mangione.jpg", [1440, 960]),
  picture("federico-beccari.jpg", [1440, 960]),
  picture("ilya-yakover.jpg", [1440, 960]),
  picture("joshua-stannard.jpg", [1440, 960]),
  picture("login-image.jpg", [2440, 1220]),
  picture("soroush-karimi.jpg", [1440, 960]),
  picture("uriel-soberanes.jpg", [1440, 957]),
];
