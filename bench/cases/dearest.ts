import { readFile } from "node:fs/promises";
import { LIMITS } from "#api/limits.ts";
import { costOfPack } from "#api/prices.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import type { CreativePacks, Motion, OutputFormat } from "../../sdk/src/index.ts";
import { atMost, type BenchCase } from "../bench-case.ts";
import { readLogo } from "../pictures/logo.ts";
import { worstLogos } from "../pictures/worst-logos.ts";
import { worstPictures } from "../pictures/worst-pictures.ts";
import { type Caller, createCaller } from "../workerd/caller.ts";
import { createDearest, type Dearest } from "../workerd/dearest-requests.ts";
import { startService } from "../workerd/service.ts";

/** What a request may cost that nothing is paid for, and each credit of one that is paid, in seconds of CPU time. */
const FREE_SECONDS_MAX = 2;
const CREDIT_SECONDS_MAX = 4;
const CREDITS = 1_000_000;

/** Outputs that a sweep of noise over every size and format found the dearest of their kind. */
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

/** Copy as long as each field takes, in words that break anywhere. */
const long = (characters: number) => "Noise and more of it ".repeat(20).slice(0, characters).trim();
const COPY = {
  headline: long(LIMITS.copyHeadlineCharactersMax),
  subheadline: long(LIMITS.copySubheadlineCharactersMax),
  cta: long(LIMITS.copyCtaCharactersMax),
  disclaimer: long(LIMITS.copyDisclaimerCharactersMax),
};

/** Slots filled, under a name. */
interface Filled {
  readonly title: string;
  readonly assetIds: Readonly<Record<string, string>>;
}

async function uploadAll(caller: Caller, dearest: Dearest, progress: (sentence: string) => void) {
  // Twice: what is decoded for a preview is kept, and a job over the same asset would find it.
  const pictures: Filled[] = [];
  const paid: Filled[] = [];
  for await (const { title, bytes, mimeType, width, height } of worstPictures()) {
    progress(title);
    const file = { bytes, mimeType, size: { width, height } };
    const isFirst = pictures.length === 0;
    for (const list of [pictures, paid]) {
      const media = await caller.upload(dearest, title, { slotId: "media", ...file });
      if (media === null) continue;
      list.push({ title, assetIds: { media } });
      if (!isFirst) continue;
      const [beside, background] = [
        await caller.upload(dearest, title, { slotId: "secondaryMedia", ...file }),
        await caller.upload(dearest, title, { slotId: "background", ...file }),
      ];
      const other = await caller.upload(dearest, title, { slotId: "media", ...file });
      if (beside === null || background === null || other === null) continue;
      list.push({
        title: `three of ${title}`,
        assetIds: { media: other, secondaryMedia: beside, background },
      });
    }
  }
  const logos: Filled[] = [];
  for (const { title, bytes } of worstLogos()) {
    progress(title);
    const logo = await caller.upload(dearest, title, {
      slotId: "logo",
      bytes,
      mimeType: "image/svg+xml",
      size: null,
    });
    if (logo !== null) logos.push({ title, assetIds: { logo } });
  }
  const font = Uint8Array.from(await readFile(inRoot("src/renderer/fonts/inter-display-bold.ttf")));
  await caller.upload(dearest, "a font", { slotId: "font", bytes: font, mimeType: "font/ttf", size: null });
  return { pictures, paid, logos };
}

/** Words that every size can set, the smallest strip among them. */
const SHORT = { headline: "Noise", cta: "More" };

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

/** Requests that draw nothing, as each of them is at its largest. */
async function askTheRest(caller: Caller, dearest: Dearest, artifactId: string): Promise<void> {
  const page = { limit: 100 };
  const reads: Readonly<Record<string, (client: CreativePacks) => PromiseLike<unknown>>> = {
    balance: ({ balance }) => balance.get(),
    usage: ({ usage }) => usage.list(page).firstPage(),
    "api-keys": ({ apiKeys }) => apiKeys.list(page).firstPage(),
    assets: ({ assets }) => assets.list(page).firstPage(),
    jobs: ({ jobs }) => jobs.list(page).firstPage(),
  };
  for (const [name, read] of Object.entries(reads)) {
    await caller.call(dearest, "lists, balance and other reads", `GET /${name}`, read);
  }
  for (const path of ["/api/v1/contracts", "/api/v1/contracts/campaign.v1", "/openapi.json"]) {
    await caller.fetchAll(dearest, "contracts and documentation", `GET ${path}`, path);
  }
  const { files } = await caller.call(
    ...[dearest, "GET /artifacts/{artifactId}", "manifest of every size"],
    ({ artifacts }) => artifacts.get(artifactId),
  );
  const { url } = await caller.call(
    ...[dearest, "GET /artifacts/{artifactId}/download", "every size"],
    ({ artifacts }) => artifacts.getDownload(artifactId),
  );
  await caller.call(dearest, "GET the signed ZIP", "every size as PNG of noise", ({ artifacts }) =>
    artifacts.downloadLink(url),
  );
  const [largest] = files.toSorted((one, other) => other.byteLength - one.byteLength);
  await caller.call(
    ...[dearest, "GET /artifacts/{artifactId}/files/{fileId}/download", `${largest?.byteLength} bytes`],
    ({ artifacts }) => artifacts.downloadFile(artifactId, largest?.fileId ?? ""),
  );
  const password = "a phrase of so many words that it is as long as one may be "
    .repeat(3)
    .slice(0, 128)
    .trim();
  const account = { email: "bench@packs.example", password };
  await caller.fetchAll(
    ...[dearest, "POST /account/sign-up", "a password of 128 characters", "/api/account/sign-up"],
    { ...account, name: "Bench" },
  );
  await caller.fetchAll(
    ...[dearest, "POST /account/sign-in", "the same password", "/api/account/sign-in"],
    account,
  );
  await caller.call(dearest, "POST /agent/trial-key", "a first claim", ({ service }) => service.claimTrial());
}

export const dearestCase: BenchCase = {
  id: "dearest",
  title: "The dearest request of each route, CPU time over a corpus of worst cases",
  run: async ({ progress }) => {
    const service = await startService();
    const dearest = createDearest(service.worker.pid);
    try {
      const { secret } = await service.openWorkspace(CREDITS);
      const caller = createCaller(service.worker.origin, secret);
      const first = await caller.upload(null, "logo", {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: await readLogo(),
        size: null,
      });
      const plain: Filled = { title: "a plain logo", assetIds: { logo: first ?? "" } };
      progress("warming up");
      await caller.preview(null, plain.title, packOf(plain, ["iab-300x250"], "png"));
      await caller.job(null, plain.title, packOf(plain, ["iab-300x250"], "gif", "animated"), 3);
      const { pictures, paid, logos } = await uploadAll(caller, dearest, progress);
      const [noisy] = pictures;
      for (const one of [...pictures, ...logos]) {
        progress(`previews: ${one.title}`);
        for (const { sizeId, outputFormat } of one === noisy ? STILLS : STILLS.slice(0, 1)) {
          const what = `${sizeId} ${outputFormat}, ${one.title}`;
          await caller.preview(dearest, what, packOf(one, [sizeId], outputFormat));
        }
        for (const { sizeId, outputFormat } of one === noisy ? ANIMATIONS : ANIMATIONS.slice(-1)) {
          const what = `animated ${sizeId} ${outputFormat}, ${one.title}`;
          await caller.preview(dearest, what, packOf(one, [sizeId], outputFormat, "animated"));
        }
      }
      for (const one of [...paid, ...logos]) {
        progress(`jobs: ${one.title}`);
        for (const { sizeId, outputFormat } of one === paid[0] ? STILLS : STILLS.slice(0, 1)) {
          await caller.job(
            dearest,
            `${sizeId} ${outputFormat}, ${one.title}`,
            packOf(one, [sizeId], outputFormat),
            1,
          );
        }
        for (const { sizeId, outputFormat } of one === paid[0] ? ANIMATIONS : ANIMATIONS.slice(-1)) {
          const what = `animated ${sizeId} ${outputFormat}, ${one.title}`;
          await caller.job(dearest, what, packOf(one, [sizeId], outputFormat, "animated"), 3);
        }
      }
      if (noisy !== undefined) {
        progress("every size at once");
        const every = SIZES.map(({ sizeId }) => sizeId);
        const what = `${every.length} sizes, ${noisy.title}`;
        const cost = costOfPack("static", every.length);
        const body = { ...packOf(noisy, every, "png"), copy: SHORT };
        const artifactId = await caller.job(dearest, what, body, cost);
        if (artifactId !== null) await askTheRest(caller, dearest, artifactId);
      }
    } finally {
      await service.stop();
    }
    const found = dearest.perRoute();
    return {
      rows: found.map(({ route, what, cpuSeconds, credits }) => ({
        label: `${route}: ${what}`,
        figures: {
          "CPU s": cpuSeconds,
          credits,
          "CPU s a credit": credits === 0 ? null : cpuSeconds / credits,
        },
      })),
      targets: found.map(({ route, cpuSeconds, credits }) =>
        credits === 0
          ? atMost(`${route}, CPU seconds, free`, cpuSeconds, FREE_SECONDS_MAX)
          : atMost(`${route}, CPU seconds a credit`, cpuSeconds / credits, CREDIT_SECONDS_MAX),
      ),
      absences: [],
      notes: [
        "CPU is of the whole process, simulators of D1, R2 and the queue among it. A job is measured from its request to its end.",
        "Each row is the dearest of its kind, whether the service took the request or refused it.",
      ],
    };
  },
};
