import sharp from "sharp";

/**
 * A compact description of a picture's look: a difference hash of a coarse grid (256 bits), which shows structure but
 * not colour, and the mean colours of an 8 × 8 grid, which show colour but not structure.
 */
export interface Signature {
  /** 256 bits as 64 hex digits. */
  readonly hash: string;
  /** 8 × 8 colours, row by row, `rrggbb` each. */
  readonly colours: string;
}

const HASH_EDGE = 16;
const COLOUR_EDGE = 8;
/**
 * Smaller differences between neighbours count as equal, so that rounding on a flat background does not look like
 * structure.
 */
const STEP_MIN = 3;

export async function signatureOf(picture: Uint8Array): Promise<Signature> {
  const grey = await sharp(picture)
    .flatten()
    .greyscale()
    .resize(HASH_EDGE + 1, HASH_EDGE, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  const stride = grey.length / HASH_EDGE;
  const channels = stride / (HASH_EDGE + 1);
  let hash = "";
  for (let y = 0; y < HASH_EDGE; y++) {
    let row = 0;
    for (let x = 0; x < HASH_EDGE; x++) {
      const at = y * stride + x * channels;
      row = row * 2 + ((grey[at + channels] ?? 0) - (grey[at] ?? 0) >= STEP_MIN ? 1 : 0);
    }
    hash += row.toString(16).padStart(HASH_EDGE / 4, "0");
  }
  const colours = await sharp(picture)
    .flatten()
    .toColourspace("srgb")
    .resize(COLOUR_EDGE, COLOUR_EDGE, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { hash, colours: colours.toString("hex") };
}

export interface Distance {
  /** Number of differing bits, 0 to 256. */
  readonly bits: number;
  /** Largest difference of a grid cell, 0 to 255: the mean over its channels. */
  readonly colour: number;
}

export function distanceBetween(left: Signature, right: Signature): Distance {
  let bits = 0;
  for (let at = 0; at < 64; at++) {
    let differing = Number.parseInt(left.hash[at] ?? "0", 16) ^ Number.parseInt(right.hash[at] ?? "0", 16);
    for (; differing > 0; differing >>= 1) bits += differing & 1;
  }
  const before = Buffer.from(left.colours, "hex");
  const after = Buffer.from(right.colours, "hex");
  let colour = before.length === after.length ? 0 : 255;
  for (let at = 0; at + 2 < before.length; at += 3) {
    const cell = [0, 1, 2].map((channel) =>
      Math.abs((before[at + channel] ?? 0) - (after[at + channel] ?? 0)),
    );
    colour = Math.max(colour, cell.reduce((sum, difference) => sum + difference, 0) / 3);
  }
  return { bits, colour };
}

/** Beyond either limit a person would see two different pictures. */
const DISTANCE_MAX: Distance = { bits: 8, colour: 10 };

export const isSameLook = ({ bits, colour }: Distance): boolean =>
  bits <= DISTANCE_MAX.bits && colour <= DISTANCE_MAX.colour;
