import { joined, u32 } from "../binary.ts";
import {
  curveElement,
  formulaElement,
  lutAToBElement,
  lutElement,
  type Mapping,
  type ProfileParts,
  writeProfile,
  xyzElement,
} from "./profile.ts";

/** Profiles of every kind that colours are read by, one of each, of devices that no factory makes. */

const D50 = [0.9642, 1, 0.8249] as const;
type Triple = readonly [number, number, number];

/** Linear light of an RGB device with crosstalk, to XYZ. */
function light([r = 0, g = 0, b = 0]: readonly number[]): Triple {
  return [0.52 * r + 0.29 * g + 0.1542 * b, 0.27 * r + 0.64 * g + 0.09 * b, 0.01 * r + 0.09 * g + 0.7249 * b];
}

/** Inks on paper, each letting through a part of X, Y and Z; all of them leave `black` of the light. */
function inked(inks: readonly number[], black: number): Triple {
  const through = [
    [0.2, 0.3, 0.75],
    [0.45, 0.22, 0.4],
    [0.88, 0.9, 0.12],
    [0.03, 0.03, 0.03],
  ];
  const [x = 1, y = 1, z = 1] = D50.map((_, axis) =>
    inks.reduce((left, ink, at) => left * (1 - ink * (1 - (through[at]?.[axis] ?? 1))), 1),
  );
  const lifted = (value: number): number => black + (1 - black) * value;
  return [D50[0] * lifted(x), D50[1] * lifted(y), D50[2] * lifted(z)];
}

const folded = (value: number): number =>
  value > 216 / 24389 ? Math.cbrt(value) : (value * 841) / 108 + 4 / 29;

function toLab([x, y, z]: Triple): Triple {
  const [fx, fy, fz] = [folded(x / D50[0]), folded(y / D50[1]), folded(z / D50[2])];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** As each kind of table writes the connection space. */
const WRITTEN = {
  lab: (xyz: Triple) => {
    const [l, a, b] = toLab(xyz);
    return [l / 100, (a + 128) / 255, (b + 128) / 255];
  },
  lab16: (xyz: Triple) => WRITTEN.lab(xyz).map((value) => (value * 65280) / 65535),
  xyz: (xyz: Triple) => xyz.map((value) => (value * 32768) / 65535),
} as const;

const raised = (values: readonly number[], gamma: number): readonly number[] =>
  values.map((value) => value ** gamma);
const lifted = (xyz: Triple, black: number): Triple => [
  xyz[0] + (D50[0] - xyz[0]) * black,
  xyz[1] + (D50[1] - xyz[1]) * black,
  xyz[2] + (D50[2] - xyz[2]) * black,
];

const base = { version: 2, deviceClass: "mntr", connection: "Lab " } as const;
const profile = (parts: Partial<ProfileParts> & Pick<ProfileParts, "space" | "tags">): Uint8Array =>
  writeProfile({ ...base, ...parts });
type Others = Partial<Omit<ProfileParts, "space" | "tags">>;
const rgb = (tags: ProfileParts["tags"], others: Others = {}): Uint8Array =>
  profile({ space: "RGB ", ...others, tags });
const inks = (tags: ProfileParts["tags"], others: Others = {}): Uint8Array =>
  profile({ space: "CMYK", deviceClass: "prtr", ...others, tags });
const grey = (connection: "XYZ " | "Lab ", curve: Uint8Array, version: 2 | 4 = 2): Uint8Array =>
  profile({ space: "GRAY", connection, version, tags: { kTRC: curve } });

/** Input curves of a gamma take it off what the grid maps. */
const rgbLut = (
  bytes: 1 | 2,
  write: (xyz: Triple) => readonly number[],
  points: number,
  black = 0,
  matrix?: readonly number[],
) =>
  lutElement(bytes, {
    inputs: 3,
    outputs: 3,
    points,
    curves: [1.2, 1],
    map: (values) => write(lifted(light(raised(values, 1.5)), black)),
    ...(matrix === undefined ? {} : { matrix }),
  });
const press =
  (write: (xyz: Triple) => readonly number[], black = 0.02): Mapping =>
  (values) =>
    write(inked(values, black));
const inkTable = (bytes: 1 | 2, points: number, map: Mapping, gamma = 1): Uint8Array =>
  lutElement(bytes, { inputs: 4, outputs: 3, points, curves: [gamma, 1], map });
/** Inks of a colour: all of them, black most, the darker the more. */
const separated: Mapping = ([lightness = 0]) =>
  [0.7, 0.65, 0.6, 0.9].map((most) => most * (1 - Math.min(1, lightness)));

const SRGB_LIKE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;
const SAMPLES = Array.from({ length: 17 }, (_, at) => (at / 16) ** 1.9);
const CURVES_3 = [curveElement(1.1), curveElement(), curveElement(0, 0.45, 1)];
const PLAIN_CURVES = CURVES_3.map(() => curveElement());
const MATRIX = [0.95, 0.03, 0.02, 0.02, 0.96, 0.02, 0.01, 0.04, 0.95, 0.001, 0, 0.002];

const SRGB_COLUMNS: readonly Triple[] = [
  [0.436, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7139],
];
const CUBE_ROOT = formulaElement(4, 1 / 3, 1, 0, 841 / 108, 216 / 24389, 0, 4 / 29);
const LAB_MATRIX = [0, 1.16, 0, 500 / 255, -500 / 255, 0, 0, 200 / 255, -200 / 255];

/** Linear light is the axis of the grid (`isLinear`), or what the picture has is. */
function srgbTable(points: number, isLinear: boolean): Uint8Array {
  const decoded = (value: number): number =>
    value < 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const map: Mapping = (rgb) => {
    const linear = isLinear ? rgb : rgb.map(decoded);
    return D50.map(
      (white, axis) =>
        SRGB_COLUMNS.reduce((sum, column, at) => sum + (column[axis] ?? 0) * (linear[at] ?? 0), 0) / white,
    );
  };
  return lutAToBElement({
    kind: "mAB ",
    inputs: 3,
    outputs: 3,
    a: CURVES_3.map(() => (isLinear ? formulaElement(3, ...SRGB_LIKE) : curveElement())),
    grid: { points: [points, points, points], bytes: 2, map },
    m: CURVES_3.map(() => CUBE_ROOT),
    matrix: [...LAB_MATRIX, -0.16, 128 / 255, 128 / 255],
    b: PLAIN_CURVES,
  });
}

export const SAMPLE_PROFILES: Readonly<Record<string, Uint8Array>> = {
  "grey, Lab, identity": grey("Lab ", curveElement()),
  "grey, Lab, gamma": grey("Lab ", curveElement(1.4)),
  "grey, Lab, samples": grey("Lab ", curveElement(...SAMPLES)),
  "grey, Lab, version 4 formula": grey("Lab ", formulaElement(3, ...SRGB_LIKE), 4),
  "grey, XYZ, gamma": grey("XYZ ", curveElement(1.8)),
  "grey, XYZ, samples that start over black": grey("XYZ ", curveElement(0.02, 0.2, 0.5, 1)),
  "grey, XYZ, formula 0": grey("XYZ ", formulaElement(0, 2.2), 4),
  "grey, XYZ, formula 1": grey("XYZ ", formulaElement(1, 2, 1.1, -0.1), 4),
  "grey, XYZ, formula 2": grey("XYZ ", formulaElement(2, 2, 0.94, 0.03, 0.02), 4),
  "grey, XYZ, formula 3": grey("XYZ ", formulaElement(3, ...SRGB_LIKE), 4),
  "grey, XYZ, formula 4": grey("XYZ ", formulaElement(4, 2.2, 0.95, 0.04, 0.1, 0.05, 0.01, 0.001), 4),
  "grey, table that tints": profile({
    space: "GRAY",
    tags: {
      A2B0: lutElement(2, {
        inputs: 1,
        outputs: 3,
        points: 9,
        curves: [1, 1],
        map: ([value = 0]) => [
          (value * 65280) / 65535,
          0.502 - 0.02 * (1 - value),
          0.502 + 0.06 * value * (1 - value),
        ],
      }),
    },
  }),
  "RGB, lut8, Lab": rgb({ A2B0: rgbLut(1, WRITTEN.lab, 9) }, { deviceClass: "scnr" }),
  "RGB, lut16, Lab": rgb({ A2B0: rgbLut(2, WRITTEN.lab16, 17) }),
  "RGB, lut16, Lab, version 4": rgb(
    { A2B1: rgbLut(2, WRITTEN.lab16, 9), A2B0: rgbLut(2, WRITTEN.lab16, 5) },
    { version: 4 },
  ),
  "RGB, lut16, XYZ": rgb({ A2B0: rgbLut(2, WRITTEN.xyz, 13) }, { connection: "XYZ " }),
  "RGB, lut16, a matrix before it": rgb({
    A2B0: rgbLut(2, WRITTEN.lab16, 17, 0, [0.9, 0.1, 0, 0, 1, 0, 0.05, 0, 0.95]),
  }),
  "RGB, lut16, its black is grey": rgb({ A2B1: rgbLut(2, WRITTEN.lab16, 17, 0.03) }, { deviceClass: "scnr" }),
  "RGB, lut16, a grey black by perception alone": rgb(
    { A2B0: rgbLut(2, WRITTEN.lab16, 17, 0.03) },
    { deviceClass: "scnr" },
  ),
  "RGB, lutAToB, Lab": rgb(
    {
      A2B0: lutAToBElement({
        kind: "mAB ",
        inputs: 3,
        outputs: 3,
        a: CURVES_3,
        b: PLAIN_CURVES,
        grid: { points: [9, 11, 7], bytes: 2, map: (values) => WRITTEN.lab(light(raised(values, 2))) },
        m: CURVES_3.map(() => formulaElement(0, 1)),
        matrix: MATRIX,
      }),
    },
    { version: 4, deviceClass: "spac" },
  ),
  "RGB, lutAToB, XYZ, no grid": rgb(
    {
      A2B0: lutAToBElement({
        kind: "mAB ",
        inputs: 3,
        outputs: 3,
        b: PLAIN_CURVES,
        m: CURVES_3.map(() => formulaElement(3, ...SRGB_LIKE)),
        matrix: [0.26, 0.145, 0.0771, 0.135, 0.32, 0.045, 0.005, 0.045, 0.36245, 0, 0, 0],
      }),
    },
    { version: 4, connection: "XYZ " },
  ),
  // As the ICC's profiles of sRGB in version 4 are built: a matrix as a grid of linear light, then f of CIELAB as curves.
  "sRGB, lutAToB, Lab, a grid of linear light": rgb(
    { A2B1: srgbTable(2, true), A2B0: srgbTable(17, false) },
    { version: 4, deviceClass: "spac" },
  ),
  "sRGB, lutAToB, Lab, by perception alone": rgb(
    { A2B0: srgbTable(17, false) },
    { version: 4, deviceClass: "spac" },
  ),
  "RGB of Corbis, whose columns are of another type": rgb(
    {
      ...Object.fromEntries(
        SRGB_COLUMNS.map((column, at) => [
          ["rXYZ", "gXYZ", "bXYZ"][at],
          joined(u32(0x17a505b8), xyzElement(...column).subarray(4)),
        ]),
      ),
      ...Object.fromEntries(["rTRC", "gTRC", "bTRC"].map((tag) => [tag, curveElement(1.8)])),
    },
    { connection: "XYZ " },
  ),
  "RGB, a table and a matrix": rgb(
    {
      A2B0: rgbLut(2, WRITTEN.xyz, 13),
      ...{
        rXYZ: xyzElement(0.436, 0.222, 0.014),
        gXYZ: xyzElement(0.385, 0.717, 0.097),
        bXYZ: xyzElement(0.143, 0.061, 0.714),
      },
      rTRC: curveElement(1),
      gTRC: curveElement(1),
      bTRC: curveElement(1),
    },
    { connection: "XYZ " },
  ),
  "CMYK, lut16, Lab, press": inks({
    A2B0: inkTable(2, 5, press(WRITTEN.lab16), 0.9),
    B2A0: lutElement(2, { inputs: 3, outputs: 4, points: 5, curves: [1, 1], map: separated }),
  }),
  "CMYK, lut16, XYZ, press": inks(
    {
      A2B0: inkTable(2, 7, press(WRITTEN.xyz)),
      B2A0: lutElement(2, {
        inputs: 3,
        outputs: 4,
        points: 5,
        curves: [1, 1],
        map: ([, y = 0]) => separated([y * 2]),
      }),
    },
    { connection: "XYZ " },
  ),
  "CMYK, lut8, Lab, no way back": inks({ A2B0: inkTable(1, 5, press(WRITTEN.lab)) }),
  "CMYK, lut8, Lab, input": inks({ A2B1: inkTable(1, 6, press(WRITTEN.lab), 1.1) }, { deviceClass: "scnr" }),
  "CMYK, lutAToB, Lab, press, version 4": inks(
    {
      A2B0: lutAToBElement({
        kind: "mAB ",
        inputs: 4,
        outputs: 3,
        b: PLAIN_CURVES,
        a: [...CURVES_3, curveElement(1.2)],
        grid: { points: [5, 5, 4, 6], bytes: 2, map: press(WRITTEN.lab) },
      }),
      B2A0: lutAToBElement({
        kind: "mBA ",
        inputs: 3,
        outputs: 4,
        b: PLAIN_CURVES,
        a: [...CURVES_3, curveElement()],
        grid: { points: [5, 3, 3], bytes: 2, map: separated },
      }),
    },
    { version: 4 },
  ),
};
