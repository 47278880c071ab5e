import { messagesFor } from "../../src/queue/render-messages.ts";
import type { BenchCase } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { timed } from "../clock/sample.ts";
import { median } from "../clock/statistics.ts";
import { PRICES } from "../prices.ts";
import { drawJob } from "../workerd/jobs.ts";
import { openClient } from "../workerd/open-client.ts";
import { startService } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import { readLogo, TEN_SIZE_IDS, WORDS } from "./design.ts";

const ROUNDS = 5;
const OUTPUTS = TEN_SIZE_IDS.length;
/** Photograph and logo, once for each message. */
const READS_PER_MESSAGE = 2;
/** The rate window. */
const OBJECT_REQUESTS_PER_JOB = 1;
const OPERATIONS_PER_MESSAGE = 3;

export const costCase: BenchCase = {
  id: "cost",
  title: "What 1,000 outputs cost at Cloudflare's prices, in packs of ten",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    const service = await startService();
    try {
      const client = openClient(service.worker.origin, (await service.openWorkspace(1_000)).secret);
      const logo = await uploadAsset(client, "logo", await readLogo());
      const media = await uploadAsset(client, "media", photo.bytes);
      const drawPack = (round: number) =>
        drawJob(client, {
          contractId: "campaign.v1",
          selectedSizeIds: [...TEN_SIZE_IDS],
          outputFormat: "jpg",
          assetIds: { logo, media },
          copy: { ...WORDS, disclaimer: `Round ${round}` },
        });
      const changedRows = async (): Promise<number> =>
        (await service.db.prepare("SELECT total_changes() AS rows").first<{ readonly rows: number }>())
          ?.rows ?? Number.NaN;
      await drawPack(0);
      progress(`${ROUNDS} packs`);
      const rowsBefore = await changedRows();
      const cpu: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const sample = await timed(
          () => cpuMsOf(service.worker.pid),
          () => drawPack(round),
        );
        cpu.push(sample.cpuMs);
      }
      const messages = messagesFor("", "static", [...TEN_SIZE_IDS.keys()]).length;
      const perPack: readonly (readonly [string, number, number])[] = [
        ["CPU, ms", median(cpu), PRICES.perCpuMs],
        ["requests and batches", 1 + messages, PRICES.perRequest],
        ["D1 rows written", ((await changedRows()) - rowsBefore) / ROUNDS, PRICES.perD1RowWritten],
        ["R2 writes", OUTPUTS, PRICES.perR2ClassA],
        ["R2 reads", messages * READS_PER_MESSAGE, PRICES.perR2ClassB],
        ["queue operations", messages * OPERATIONS_PER_MESSAGE, PRICES.perQueueOperation],
        ["object requests", OBJECT_REQUESTS_PER_JOB, PRICES.perObjectRequest],
      ];
      const packs = 1_000 / OUTPUTS;
      const total = perPack.reduce((sum, [, count, price]) => sum + count * price, 0);
      return {
        rows: [
          ...perPack.map(([label, count, price]) => ({
            label,
            figures: { "a pack": count, "$ for 1,000 outputs": count * price * packs },
          })),
          { label: "together", figures: { "a pack": null, "$ for 1,000 outputs": total * packs } },
        ],
        targets: [],
        absences: [],
        notes: [
          `Prices of ${PRICES.readAt}, beyond what the plan includes; see bench/prices.ts. Storage, polls and downloads are not counted.`,
          "CPU is of the whole local process, simulators included: more than the platform bills. Index entries of rows are not counted.",
        ],
      };
    } finally {
      await service.stop();
    }
  },
};
