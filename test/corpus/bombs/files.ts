import { brotliDecompressSync } from "node:zlib";
import { base64ToUint8Array } from "uint8array-extras";
import { z } from "zod";
import { KINDS } from "../kinds.ts";
import type { Bomb } from "./bomb.ts";
import packed from "./files.json" with { type: "json" };

const schema = z.partialRecord(
  z.enum(KINDS),
  z.array(
    z.object({
      name: z.string(),
      outcomes: z.array(z.string()),
      isHeavy: z.boolean().optional(),
      cpuMsMax: z.number().optional(),
      brotli: z.string(),
    }),
  ),
);

const bombs = schema.parse(packed);

/** Hostile pictures and fonts. The files have many megabytes, but are stored compressed in a few bytes. */
export const FILE_BOMBS: readonly Bomb[] = KINDS.flatMap((kind) =>
  (bombs[kind] ?? []).map(({ brotli, ...bomb }) => ({
    ...bomb,
    kind,
    make: () => Uint8Array.from(brotliDecompressSync(base64ToUint8Array(brotli))),
  })),
);
