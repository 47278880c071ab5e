import { atMost, type BenchCase, type Row } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { type Sample, timed } from "../clock/sample.ts";
import { median, percentile } from "../clock/statistics.ts";
import { WORDS } from "../pack-of-ten.ts";
import { readLogo } from "../pictures/logo.ts";
import type { Picture } from "../pictures/pictures.ts";
import { startBenchWorker } from "../workerd/bench-worker.ts";
import { openClient, uploadAsset } from "../workerd/client.ts";
import { startService } from "../workerd/service.ts";
import type { PackTask } from "../workers/tasks.ts";

const SIZE_ID = "meta-feed-1200x628";
const ROUNDS = 20;
const WARM_UPS = 2;
/** Maximum ratio of the two 95th percentiles. */
const TIMES_RENDER_MAX = 1.3;

/** The same image with a different JPEG comment, so that no cache applies. */
function anotherFile({ bytes }: Picture, round: number): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`round ${round}`);
  const comment = Uint8Array.of(0xff, 0xfe, 0, text.length + 2, ...text);
  const file = new Uint8Array(bytes.length + comment.length);
  file.set(bytes.subarray(0, 2));
  file.set(comment, 2);
  file.set(bytes.subarray(2), 2 + comment.length);
  return file;
}

export const previewCase: BenchCase = {
  id: "preview",
  title: "Preview over HTTP, compared with the renderer alone: 1200 × 628 from a 12 MP JPEG",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    const { mimeType } = photo;
    const logo = await readLogo();
    progress("starting the service and the renderer alone");
    const service = await startService();
    const alone = await startBenchWorker("renderer.ts");
    const samples: Record<"first" | "later" | "alone", Sample[]> = { first: [], later: [], alone: [] };
    try {
      const client = openClient(service.worker.origin, (await service.openWorkspace(1_000)).secret);
      const logoId = await uploadAsset(client, "logo", logo);
      await alone.hold("photo", photo.bytes);
      await alone.hold("logo", logo);
      const task: PackTask = {
        media: { asset: "photo", mimeType },
        logo: "logo",
        copy: WORDS,
        sizeIds: [SIZE_ID],
        motion: "static",
        format: "jpg",
      };
      const cpuMs = () => cpuMsOf(service.worker.pid);
      const previewOf = (media: string, headline: string) =>
        client.previews.create({
          contractId: "campaign.v1",
          selectedSizeIds: [SIZE_ID],
          outputFormat: "jpg",
          assetIds: { media, logo: logoId },
          copy: { ...WORDS, headline },
        });
      progress(`${ROUNDS} previews of new assets, ${ROUNDS} with other words, ${ROUNDS} renders, in turn`);
      for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
        const media = await uploadAsset(client, "media", anotherFile(photo, round));
        const first = await timed(cpuMs, () => previewOf(media, "Two wheels, no excuses"));
        const rendered = await timed(alone.cpuMs, () => alone.ask("/pack", task));
        const later = await timed(cpuMs, () => previewOf(media, "Two wheels, no regrets"));
        if (round < 0) continue;
        samples.first.push(first);
        samples.later.push(later);
        samples.alone.push(rendered);
      }
    } finally {
      await Promise.all([service.stop(), alone.stop()]);
    }
    const percentile95 = (taken: readonly Sample[]): number =>
      percentile(
        taken.map(({ wallMs }) => wallMs),
        0.95,
      );
    const medianCpuMs = (taken: readonly Sample[]): number => median(taken.map(({ cpuMs }) => cpuMs));
    const rowOf = (label: string, taken: readonly Sample[]): Row => ({
      label,
      figures: {
        "median ms": median(taken.map(({ wallMs }) => wallMs)),
        "p95 ms": percentile95(taken),
        "p95 / render p95": percentile95(taken) / percentile95(samples.alone),
        "CPU ms": medianCpuMs(taken),
        "CPU / render CPU": medianCpuMs(taken) / medianCpuMs(samples.alone),
      },
    });
    const ratio = percentile95(samples.first) / percentile95(samples.alone);
    return {
      rows: [
        rowOf("renderer alone, prepare and render", samples.alone),
        rowOf("first preview of an asset", samples.first),
        rowOf("preview with other words", samples.later),
      ],
      targets: [
        atMost("p95 of an uncached preview, of the p95 of the render alone", ratio, TIMES_RENDER_MAX),
      ],
      absences: [],
      notes: ["Each first preview is of a new image, of which nothing decoded is stored."],
    };
  },
};
