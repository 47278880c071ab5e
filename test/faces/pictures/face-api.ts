import { face, type MarkedPicture, picturesIn } from "./marks.ts";

const picture = picturesIn("@vladmandic/face-api/demo");

export const FACE_API: readonly MarkedPicture[] = [
  picture(
    "sample1.jpg",
    [1920, 1280],
    face([416, 350, 190, 240], "light", "low light"),
    face([820, 415, 175, 240], "medium", "low light", "tilted", "looking down"),
    face([1480, 200, 190, 255], "light", "low light", "tilted"),
  ),
  picture(
    "sample2.jpg",
    [1920, 1367],
    face([368, 90, 197, 320], "light", "profile"),
    face([885, 210, 155, 250], "light", "looking down", "covered"),
    face([1455, 135, 185, 255], "light", "looking down"),
  ),
  picture(
    "sample3.jpg",
    [1920, 1350],
    face([598, 340, 160, 250], "light"),
    face([1085, 200, 230, 300], "light"),
    face([1510, 250, 185, 305], "light"),
  ),
  picture(
    "sample4.jpg",
    [1920, 1448],
    face([278, 150, 150, 275], "medium", "tilted"),
    face([660, 75, 180, 245], "medium"),
    face([990, 150, 215, 280], "light", "looking down"),
    face([1280, 150, 130, 245], "light"),
  ),
  picture(
    "sample5.jpg",
    [1920, 1398],
    face([400, 870, 165, 300], "medium", "low light"),
    face([625, 405, 150, 275], "medium"),
    face([778, 100, 170, 235], "medium"),
    face([1110, 215, 140, 240], "medium"),
    face([1415, 375, 165, 290], "medium"),
  ),
  picture(
    "sample6.jpg",
    [1920, 1537],
    face([275, 480, 195, 270], "medium"),
    face([668, 300, 165, 310], "light", "tilted"),
    face([1180, 285, 195, 295], "medium", "looking down"),
    face([1480, 250, 195, 300], "light"),
  ),
  picture("screenshot-webcam.png", [853, 1280], face([325, 190, 305, 335], "light", "beard")),
];
