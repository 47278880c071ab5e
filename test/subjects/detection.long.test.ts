import { describe, expect, it } from "vitest";
import { commonArea } from "#renderer/box-geometry.ts";
import { thumbnailOf } from "#renderer/compose/load-picture.ts";
import type { Box } from "#renderer/index.ts";
import { findSubject } from "#renderer/subjects/find-subject.ts";
import { CERTAIN_MIN, type MainSubject } from "#renderer/subjects/subject-map.ts";
import { inputsOf, withPack } from "../support/renderer.ts";
import { assetOf, type LabelledPhoto, PHOTOS } from "./labelled-photos.ts";

/** Quote only the figures of the test half, because the tune half was used to choose the constants of the detector. */

/** Minimum fraction of the label inside the found box, and maximum area of that box relative to the label's. */
const INSIDE_MIN = 0.9;
const TIMES_AREA_MAX = 2.2;
const CPU_MS_MAX = 60;

const CERTAIN_INSIDE_MIN = { tune: 0.95, test: 0.85 } as const;
const FALSELY_CERTAIN_MAX = 0.1;

interface Found {
  readonly photo: LabelledPhoto;
  readonly main: MainSubject | null;
  readonly cpuMs: number;
}

describe("the main subject", async () => {
  const found: Found[] = [];
  for (const photo of PHOTOS.filter(({ isUncertain }) => !isUncertain)) found.push(await findIn(photo));

  it.each(["tune", "test"] as const)(
    "is inside the box when the detector is certain, in the %s half",
    (half) => {
      const figures = figuresOf(found.filter(({ photo }) => photo.half === half));
      console.log(
        half,
        JSON.stringify(figures, (_, value) => (typeof value === "number" ? round(value) : value)),
      );
      expect(figures.insideWhereCertain).toBeGreaterThanOrEqual(CERTAIN_INSIDE_MIN[half]);
      expect(figures.certainWithoutSubject).toBeLessThanOrEqual(FALSELY_CERTAIN_MAX);
    },
  );

  it("is found within 60 ms of CPU time in the median", () => {
    const times = found.map(({ cpuMs }) => cpuMs).sort((one, other) => one - other);
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(CPU_MS_MAX);
  });
});

async function findIn(photo: LabelledPhoto): Promise<Found> {
  return withPack(inputsOf({ assets: { media: assetOf(photo) } }), async ({ hero }) => {
    if (hero === null) throw new Error("a photo is a hero");
    const before = process.cpuUsage();
    const { main } = findSubject(thumbnailOf(hero.pyramid), hero.faces, hero.subjectBox);
    const { user, system } = process.cpuUsage(before);
    return { photo, main, cpuMs: (user + system) / 1000 };
  });
}

function figuresOf(found: readonly Found[]) {
  const withSubject = found.flatMap(({ photo, main }) =>
    photo.box === null ? [] : [{ label: photo.box, main }],
  );
  const without = found.filter(({ photo }) => photo.box === null);
  const certain = withSubject.filter(({ main }) => isCertain(main));
  return {
    photos: withSubject.length,
    intersectionOverUnion: mean(withSubject.map(({ label, main }) => overlap(label, main).ofUnion)),
    right: share(withSubject, ({ label, main }) => isRight(label, main)),
    certain: certain.length / withSubject.length,
    rightWhereCertain: share(certain, ({ label, main }) => isRight(label, main)),
    insideWhereCertain: share(certain, ({ label, main }) => overlap(label, main).ofLabel >= INSIDE_MIN),
    missed: share(withSubject, ({ main }) => main === null),
    photosWithoutSubject: without.length,
    certainWithoutSubject: share(without, ({ main }) => isCertain(main)),
    uncertainWithoutSubject: share(without, ({ main }) => main !== null && !isCertain(main)),
  } satisfies Record<string, number>;
}

const isCertain = (main: MainSubject | null): boolean => main !== null && main.certainty >= CERTAIN_MIN;

function isRight(label: Box, main: MainSubject | null): boolean {
  const { ofLabel, timesArea } = overlap(label, main);
  return ofLabel >= INSIDE_MIN && timesArea <= TIMES_AREA_MAX;
}

function overlap(label: Box, main: MainSubject | null) {
  if (main === null) return { ofLabel: 0, ofUnion: 0, timesArea: 0 };
  const [area, boxArea] = [label.width * label.height, main.box.width * main.box.height];
  const common = commonArea(label, main.box);
  return { ofLabel: common / area, ofUnion: common / (area + boxArea - common), timesArea: boxArea / area };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const share = <T>(of: readonly T[], holds: (one: T) => boolean): number =>
  mean(of.map((one) => (holds(one) ? 1 : 0)));

const round = (value: number): number => Math.round(value * 100) / 100;
