import { LIMITS } from "#api/limits.ts";
import { costOfPack } from "#api/prices.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { ApiError, type CreativePacks, type Motion, type OutputFormat } from "../../sdk/src/index.ts";
import { atMost, type BenchCase } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { readLogo } from "../pictures/logo.ts";
import { type WorstPicture, worstPictures } from "../pictures/worst-pictures.ts";
import { drawJob, openClient, uploadAsset } from "../workerd/client.ts";
import { startService } from "../workerd/service.ts";

/** Targets in seconds of CPU time: for a free request, and per credit of a paid one. */
const FREE_SECONDS_MAX = 2;
const CREDIT_SECONDS_MAX = 4;
const CREDITS = 1_000_000;

/** The most expensive outputs of each format. They were found by rendering noise in every size and format. */
const STILLS = [
  { sizeId: "youtube-banner-2560x1440", outputFormat: "png" },
  { sizeId: "youtube-banner-2560x1440", outputFormat: "jpg" },
  { sizeId: "demand-gen-1080x1920", outputFormat: "png" },
  { sizeId: "meta-feed-1080x1350", outputFormat: "jpg" },
  { sizeId: "gads-300x1050", outputFormat: "jpg" },
  { sizeId: "iab-970x250", outputFormat: "png" },
] as const;
const ANIMATIONS = [
  { sizeId: "meta-story-1080x1920", outputFormat: "webp" },
  { sizeId: "meta-story-1080x1920", outputFormat: "apng" },
  { sizeId: "demand-gen-1080x1920", outputFormat: "webp" },
  { sizeId: "youtube-banner-2560x1440", outputFormat: "apng" },
  { sizeId: "youtube-banner-2560x1440", outputFormat: "webp" },
  { sizeId: "iab-970x250", outputFormat: "gif" },
] as const;

/** Text of maximum length, with a possible line break after every short word. */
const long = (characters: number) => "Noise and more of it ".repeat(20).slice(0, characters).trim();
const COPY = {
  headline: long(LIMITS.copyHeadlineCharactersMax),
  subheadline: long(LIMITS.copySubheadlineCharactersMax),
  cta: long(LIMITS.copyCtaCharactersMax),
  disclaimer: long(LIMITS.copyDisclaimerCharactersMax),
};
/** Text that fits every size, including the smallest banner. */
const SHORT = { headline: "Noise", cta: "More" };

/** Assets by slot, with a title for the report. */
interface Filled {
  readonly title: string;
  readonly assetIds: Readonly<Record<string, string>>;
}

const packOf = (
  { assetIds }: Filled,
  sizeIds: readonly string[],
  outputFormat: OutputFormat,
  motion: Motion = "static",
) => ({
  contractId: "campaign.v1",
  selectedSizeIds: sizeIds,
  outputFormat,
  motion,
  assetIds,
  copy: COPY,
});

interface MeasuredRequest {
  readonly route: string;
  readonly what: string;
  readonly cpuSeconds: number;
  /** Cost in credits; 0 for a free request. */
  readonly credits: number;
}

const perCredit = ({ cpuSeconds, credits }: MeasuredRequest): number => cpuSeconds / Math.max(1, credits);

/** Runs and measures a request, even if the service rejects it. Resolves to undefined if it was rejected. */
type Measure = <T>(
  route: string,
  what: string,
  credits: number,
  run: () => PromiseLike<T>,
) => Promise<T | undefined>;

/** For each route, keeps the request with the most CPU time per credit. */
function createMeasure(pid: number): { readonly measure: Measure; readonly found: () => MeasuredRequest[] } {
  const kept = new Map<string, MeasuredRequest>();
  return {
    found: () => [...kept.values()],
    measure: async (route, what, credits, run) => {
      const beforeMs = cpuMsOf(pid);
      let refusal = "";
      const value = await Promise.resolve(run()).catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError)) throw thrown;
        refusal = ` (${thrown.code})`;
        return undefined;
      });
      const cpuSeconds = (cpuMsOf(pid) - beforeMs) / 1_000;
      const measured = { route, what: `${what}${refusal}`, credits, cpuSeconds };
      const known = kept.get(route);
      if (known === undefined || perCredit(known) < perCredit(measured)) kept.set(route, measured);
      return value;
    },
  };
}

/** Uploads a file and measures each step as its own route. Resolves to undefined if the file is rejected. */
async function upload(
  client: CreativePacks,
  measure: Measure,
  slotId: "media" | "secondaryMedia" | "background",
  picture: WorstPicture,
) {
  const { title, bytes, mimeType, width, height } = picture;
  const byteLength = bytes.byteLength;
  const intent = await client.uploads.create({
    slotId,
    fileName: "worst",
    mimeType,
    byteLength,
    width,
    height,
  });
  const { uploadId, assetId } = intent;
  await measure("PUT /assets/uploads/{uploadId}/object", title, 0, () =>
    client.uploads.putObject(uploadId, { contentType: mimeType, make: () => bytes }),
  );
  const route = `POST /assets/uploads/{uploadId}/complete, ${mimeType.replace("image/", "")}`;
  const asset = await measure(route, title, 0, () =>
    client.uploads.complete(uploadId, { assetId, byteLength }),
  );
  return asset === undefined ? undefined : assetId;
}

/** Uploads the most expensive images twice, for previews and for jobs, because a preview caches the decoded image. */
async function uploadAll(client: CreativePacks, measure: Measure, progress: (sentence: string) => void) {
  const previewed: Filled[] = [];
  const paid: Filled[] = [];
  for await (const picture of worstPictures()) {
    const { title } = picture;
    progress(title);
    const isFirst = previewed.length === 0;
    for (const list of [previewed, paid]) {
      const media = await upload(client, measure, "media", picture);
      if (media !== undefined) list.push({ title, assetIds: { media } });
      if (!isFirst) continue;
      const [other, secondaryMedia, background] = [
        await upload(client, measure, "media", picture),
        await upload(client, measure, "secondaryMedia", picture),
        await upload(client, measure, "background", picture),
      ];
      if (other === undefined || secondaryMedia === undefined || background === undefined) continue;
      list.push({ title: `three of ${title}`, assetIds: { media: other, secondaryMedia, background } });
    }
  }
  return { previewed, paid };
}

export const mostExpensiveCase: BenchCase = {
  id: "most-expensive",
  title: "The most expensive request of each route: CPU time over a set of worst-case images",
  run: async ({ progress }) => {
    const service = await startService();
    const { measure, found } = createMeasure(service.worker.pid);
    try {
      const client = openClient(service.worker.origin, (await service.openWorkspace(CREDITS)).secret);
      const logo = await uploadAsset(client, "logo", await readLogo());
      const plain: Filled = { title: "a plain logo", assetIds: { logo } };
      progress("warming up");
      await client.previews.create(packOf(plain, ["iab-300x250"], "png"));
      await drawJob(client, packOf(plain, ["iab-300x250"], "gif", "animated"));
      const { previewed, paid } = await uploadAll(client, measure, progress);
      const kinds = [
        { motion: "static", outputs: STILLS, few: STILLS.slice(0, 1) },
        { motion: "animated", outputs: ANIMATIONS, few: ANIMATIONS.slice(-1) },
      ] as const;
      // All outputs for the first image; only the most expensive output for the others.
      for (const { motion, outputs, few } of kinds) {
        for (const one of previewed) {
          progress(`previews, ${motion}: ${one.title}`);
          for (const { sizeId, outputFormat } of one === previewed[0] ? outputs : few) {
            const pack = packOf(one, [sizeId], outputFormat, motion);
            const what = `${motion} ${sizeId} ${outputFormat}, ${one.title}`;
            await measure("POST /previews", what, 0, () => client.previews.create(pack));
          }
        }
        for (const one of paid) {
          progress(`jobs, ${motion}: ${one.title}`);
          for (const { sizeId, outputFormat } of one === paid[0] ? outputs : few) {
            const pack = packOf(one, [sizeId], outputFormat, motion);
            const what = `${sizeId} ${outputFormat}, ${one.title}`;
            await measure(`POST /jobs, ${motion}`, what, costOfPack(motion, 1), () => drawJob(client, pack));
          }
        }
      }
      const [noisy] = previewed;
      if (noisy !== undefined) {
        progress("every size at once");
        const every = SIZES.map(({ sizeId }) => sizeId);
        const pack = { ...packOf(noisy, every, "png"), copy: SHORT };
        const cost = costOfPack("static", every.length);
        const job = await measure(
          "POST /jobs, a whole pack",
          `${every.length} sizes, ${noisy.title}`,
          cost,
          () => drawJob(client, pack),
        );
        if (job?.artifactId != null) {
          const { url } = await client.artifacts.getDownload(job.artifactId);
          await measure("GET the signed ZIP", "every size as PNG of noise", 0, () =>
            client.artifacts.downloadLink(url),
          );
        }
      }
    } finally {
      await service.stop();
    }
    return {
      rows: found().map(({ route, what, cpuSeconds, credits }) => ({
        label: `${route}: ${what}`,
        figures: {
          "CPU s": cpuSeconds,
          credits,
          "CPU s a credit": credits === 0 ? null : cpuSeconds / credits,
        },
      })),
      targets: found().map(({ route, cpuSeconds, credits }) =>
        credits === 0
          ? atMost(`${route}, CPU seconds, free`, cpuSeconds, FREE_SECONDS_MAX)
          : atMost(`${route}, CPU seconds a credit`, cpuSeconds / credits, CREDIT_SECONDS_MAX),
      ),
      absences: [],
      notes: [
        "CPU is that of the whole process, including the simulators of D1, R2 and the queue. A job is measured from its request to its end.",
        "Each row is the most expensive request of its kind, accepted or refused.",
      ],
    };
  },
};
