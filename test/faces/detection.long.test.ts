import { describe, expect, it } from "vitest";
import { CHANGES, type Found, findIn } from "./find-in.ts";
import { type MarkedFace, PICTURES, pictureNamed, type SkinTone } from "./marked-pictures.ts";

/** FACES=whole (`npm run test:faces`) searches every picture; otherwise one picture of each kind. */

const isWhole = process.env.FACES === "whole";
const RECALL_MIN = 0.95;
const PRECISION_MIN = 0.95;
/** Maximum difference between the recall of light and of dark skin. */
const SKIN_GAP_MAX = 0.03;

/**
 * One picture per kind: dark and light skin, hat, glasses, beard, profile, black and white, tilted, coloured light,
 * groups.
 */
const WITH_FACES = [
  "faces/ayo-ogunseinde-2.jpg",
  "faces/clem-onojeghuo-2.jpg",
  "faces/kaci-baum-2.jpg",
  "faces/kendall.jpg",
  "faces/card-profile6-square.jpg",
  "examples/studio-3.jpg",
  "examples/mariya-georgieva.jpg",
  "img/charles.jpg",
  "img/kal-visuals.jpg",
  "img/team-2.jpg",
  "demo/sample1.jpg",
  "demo/sample6.jpg",
  // Faces in groups, in profile and behind dark glasses, and a face that is only found at half its size.
  "img/office-dark.jpg",
  "img/meeting.jpg",
  "male/29.jpg",
];
const WITHOUT_FACES = [
  "img/bg7.jpg",
  "examples/studio-4.jpg",
  "img/ilya-yakover.jpg",
  "img/fabio-mangione.jpg",
  "img/card-2.jpg",
  "curved-images/curved8.jpg",
];

describe("face detection", isWhole ? allPictures : aPictureOfEveryKind);

function aPictureOfEveryKind(): void {
  it.each(WITH_FACES)("finds all faces of %s and nothing else", async (name) => {
    const { missed, falseFinds } = await findIn(pictureNamed(name));
    expect({ missed, falseFinds }).toEqual({ missed: [], falseFinds: [] });
  });

  it.each(WITHOUT_FACES)("finds no face in %s", async (name) => {
    const { falseFinds } = await findIn(pictureNamed(name));
    expect(falseFinds).toEqual([]);
  });
}

function allPictures(): void {
  it.each(CHANGES)(
    "finds enough of the faces and little else in pictures %s",
    { timeout: 600_000 },
    async (change) => {
      const all: Found[] = [];
      for (const picture of PICTURES) all.push(await findIn(picture, change));
      const found = all.flatMap((one) => one.found);
      const missed = all.flatMap((one) => one.missed);
      const falseFinds = all.flatMap((one) => one.falseFinds);
      const recallOf = (holds: (face: MarkedFace) => boolean): Share =>
        share(found.filter(holds).length, [...found, ...missed].filter(holds).length);

      const recall = recallOf(() => true);
      const precision = share(found.length, found.length + falseFinds.length);
      const bySkin = (skin: SkinTone): Share => recallOf((face) => face.skin === skin);
      const [light, medium, dark] = [bySkin("light"), bySkin("medium"), bySkin("dark")];
      const traits = change === "as they are" ? traitsOf([...found, ...missed]) : [];
      const lines = [
        `${change}: recall ${shown(recall)}, precision ${shown(precision)}`,
        `light skin ${shown(light)}, medium ${shown(medium)}, dark ${shown(dark)}`,
        ...traits.map(
          (trait) => `  ${trait} ${shown(recallOf((face) => face.traits.some((one) => one === trait)))}`,
        ),
        ...all.flatMap(notesOf),
      ];
      console.log(lines.join("\n"));

      expect(recall.value).toBeGreaterThanOrEqual(RECALL_MIN);
      expect(precision.value).toBeGreaterThanOrEqual(PRECISION_MIN);
      expect(Math.abs(light.value - dark.value)).toBeLessThanOrEqual(SKIN_GAP_MAX);
    },
  );
}

interface Share {
  readonly of: number;
  readonly all: number;
  readonly value: number;
}

const share = (of: number, all: number): Share => ({ of, all, value: all === 0 ? 1 : of / all });
const shown = ({ of, all, value }: Share): string => `${(value * 100).toFixed(1)} % (${of} of ${all})`;

const traitsOf = (faces: readonly MarkedFace[]): readonly string[] =>
  [...new Set(faces.flatMap(({ traits }) => traits))].sort();

/** The missed and false faces of a picture. */
const notesOf = ({ picture, missed, falseFinds }: Found): readonly string[] => [
  ...missed.map(({ box, skin, traits }) =>
    [`missed in ${picture.path}:`, boxText(box), skin, ...traits].join(" "),
  ),
  ...falseFinds.map((box) => `false find in ${picture.path}: ${boxText(box)}`),
];

const boxText = ({ x, y, width, height }: MarkedFace["box"]): string =>
  `${[x, y, width, height].map(Math.round).join(", ")};`;
