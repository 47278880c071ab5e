import { readFile } from "node:fs/promises";
import { Failure } from "../../scripts/local/failure.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import type { CreativePacks, SlotId } from "../../sdk/src/index.ts";
import { atMost, type BenchCase, type Row } from "../bench-case.ts";
import { residentBytesOf } from "../clock/process-figures.ts";
import { type Point, plotOf, slopeOf } from "../clock/trend.ts";
import { type DevService, startDevService } from "../workerd/dev-service.ts";
import { drawJob } from "../workerd/jobs.ts";
import { openClient } from "../workerd/open-client.ts";
import { uploadAsset } from "../workerd/upload.ts";

const MEGABYTE = 1_000_000;
/** For a shorter look while something is changed: PLATEAU_PACKS=100. */
const PACKS = Number(process.env.PLATEAU_PACKS ?? 1_000);
const SAMPLE_EVERY = 10;
const ROWS = 10;
/** Every so many packs a picture is uploaded anew, so that nothing is made of what was made before. */
const UPLOAD_EVERY = 10;
/** Each look at a job is a request of its own, and none of the pack's. */
const POLL_MS = 50;
const GROWTH_MB_MAX = 10;
const CREDITS = 100_000_000;

/** What a pack of the mix is drawn from. */
interface Source {
  readonly name: string;
  readonly slotId: SlotId;
  /** Its pixels' longer edge when it is uploaded; null leaves it as it is. */
  readonly edge: number | null;
  readonly mimeType: "image/jpeg" | "image/png" | "image/webp" | "image/svg+xml" | "font/ttf";
}

const SOURCES: readonly Source[] = [
  { name: "logo.svg", slotId: "logo", edge: null, mimeType: "image/svg+xml" },
  { name: "logo.svg", slotId: "logo", edge: 512, mimeType: "image/png" },
  { name: "dandelion.jpg", slotId: "media", edge: 1600, mimeType: "image/jpeg" },
  { name: "dandelion.jpg", slotId: "media", edge: 2400, mimeType: "image/webp" },
  { name: "dandelion-turned.jpg", slotId: "media", edge: null, mimeType: "image/jpeg" },
  { name: "dandelion-turned.jpg", slotId: "background", edge: 1200, mimeType: "image/png" },
  { name: "bottle-photo.jpg", slotId: "product", edge: 900, mimeType: "image/webp" },
  { name: "bottle.png", slotId: "product", edge: null, mimeType: "image/png" },
  { name: "figure.png", slotId: "person", edge: null, mimeType: "image/png" },
  { name: "phone.png", slotId: "device", edge: null, mimeType: "image/png" },
  { name: "fonts/bricolage-grotesque-extrabold.ttf", slotId: "font", edge: null, mimeType: "font/ttf" },
  { name: "fonts/tajawal-bold.ttf", slotId: "font", edge: null, mimeType: "font/ttf" },
];

/** What turns with each pack; the lengths of the three lists have no common factor, so that every combination comes up. */
const HEROES = ["media", "product", "person", "device", "background", "logo", "media"] as const;
const OUTPUTS = [
  { motion: "static", outputFormat: "jpg" },
  { motion: "static", outputFormat: "png" },
  { motion: "static", outputFormat: "webp" },
  { motion: "static", outputFormat: "jpg" },
  { motion: "static", outputFormat: "png" },
  { motion: "static", outputFormat: "webp" },
  { motion: "static", outputFormat: "jpg" },
  { motion: "static", outputFormat: "png" },
  { motion: "static", outputFormat: "jpg" },
  { motion: "static", outputFormat: "webp" },
  { motion: "animated", outputFormat: "gif" },
] as const;
const SIZES = [
  ["iab-320x50"],
  ["iab-300x250"],
  ["iab-320x50", "iab-728x90"],
  ["iab-320x50"],
  ["iab-300x250", "iab-160x600", "iab-320x50"],
] as const;
const HEADLINES = ["Two wheels, no excuses", "Fresh", "Every morning starts with a good breakfast"] as const;

const turnOf = <T>(of: readonly T[], turn: number): T => {
  const one = of[turn % of.length];
  if (one === undefined) throw new Failure("There is nothing to choose from.");
  return one;
};

interface Upload {
  readonly slotId: SlotId;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function openSource({ name, slotId, edge, mimeType }: Source): Promise<Upload> {
  const file = await readFile(inRoot(`samples/${name}`));
  if (slotId === "font" || mimeType === "image/svg+xml") return { slotId, bytes: Uint8Array.from(file) };
  const { default: sharp } = await import("sharp");
  const format = mimeType === "image/jpeg" ? "jpeg" : mimeType === "image/png" ? "png" : "webp";
  const picture = sharp(file, { density: 300 }).rotate();
  if (edge !== null) picture.resize(edge, edge, { fit: "inside" });
  return { slotId, bytes: Uint8Array.from(await picture.toFormat(format).toBuffer()) };
}

/** Makes packs by the interface alone, each from other assets, words, sizes and formats than the one before. */
async function createMix(client: CreativePacks) {
  const uploads = await Promise.all(SOURCES.map(openSource));
  const assets = new Map<SlotId, string[]>();
  const upload = async (one: Upload): Promise<void> => {
    const known = assets.get(one.slotId) ?? [];
    known.push(await uploadAsset(client, one.slotId, one.bytes));
    assets.set(one.slotId, known.slice(-4));
  };
  for (const one of uploads) await upload(one);
  const chosen = (slotId: SlotId, turn: number) => ({ [slotId]: turnOf(assets.get(slotId) ?? [], turn) });
  return async (turn: number): Promise<void> => {
    if (turn % UPLOAD_EVERY === 0) await upload(turnOf(uploads, turn / UPLOAD_EVERY));
    const hero = turnOf(HEROES, turn);
    const assetIds = {
      ...chosen(hero, turn),
      ...(turn % 2 === 0 ? chosen("logo", turn) : {}),
      ...(turn % 3 === 0 ? chosen("font", turn) : {}),
    };
    await drawJob(
      client,
      {
        contractId: "campaign.v1",
        selectedSizeIds: [...turnOf(SIZES, turn)],
        assetIds,
        ...turnOf(OUTPUTS, turn),
        copy: { headline: turnOf(HEADLINES, turn), cta: "Ride one today" },
      },
      POLL_MS,
    );
  };
}

interface Sampled {
  readonly packs: number;
  readonly workerMb: number;
  readonly otherMb: number;
}

function sample(service: DevService, packs: number): Sampled {
  const other = service.otherPids.reduce((sum, pid) => sum + residentBytesOf(pid), 0);
  return { packs, workerMb: residentBytesOf(service.workerPid) / MEGABYTE, otherMb: other / MEGABYTE };
}

export const plateauCase: BenchCase = {
  id: "plateau",
  title: `Memory of \`npm run dev\` over ${PACKS.toLocaleString("en")} mixed packs`,
  run: async ({ progress }) => {
    const service = await startDevService(CREDITS);
    try {
      const makePack = await createMix(openClient(service.origin, service.secret));
      const samples = [sample(service, 0)];
      for (let packs = 1; packs <= PACKS; packs += 1) {
        await makePack(packs - 1);
        if (packs % SAMPLE_EVERY !== 0) continue;
        const one = sample(service, packs);
        samples.push(one);
        progress(`${packs} packs: ${one.workerMb.toFixed(0)} MB`);
      }
      const curve: Point[] = samples.map(({ packs, workerMb }) => ({ x: packs, y: workerMb }));
      const growth = 100 * slopeOf(curve.filter(({ x }) => x >= PACKS / 2));
      const rowEvery = Math.max(SAMPLE_EVERY, PACKS / ROWS);
      const shown = samples.filter(({ packs }) => packs % rowEvery === 0);
      const rows: Row[] = shown.map(({ packs, workerMb, otherMb }) => ({
        label: `after ${packs} packs`,
        figures: { "workerd MB": workerMb, "wrangler's processes MB": otherMb },
      }));
      return {
        rows,
        targets: [
          atMost("MB that workerd grows by with each 100 packs of the second half", growth, GROWTH_MB_MAX),
        ],
        absences: [],
        plot: plotOf(
          curve.filter(({ x }) => x % (rowEvery / 2) === 0),
          "MB",
        ),
        notes: [
          "Resident memory, one pack at a time: photographs, products, people, devices and logos, as JPEG, PNG, WebP and SVG, with fonts of their own or ours, to JPEG, PNG, WebP and GIF in one to three sizes. Every tenth pack a file is uploaded anew.",
          "The simulators of D1, R2, queues and objects are in the same workerd.",
        ],
      };
    } finally {
      await service.stop();
    }
  },
};
