import { atMost, type BenchCase } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { timed } from "../clock/sample.ts";
import { median } from "../clock/statistics.ts";
import { PACK_OF_TEN, packPrice, rowsOfPack, TEN_SIZE_IDS, WORDS } from "../pack-of-ten.ts";
import { readLogo } from "../pictures/logo.ts";
import { PRICES } from "../prices.ts";
import { drawJob, openClient, uploadAsset } from "../workerd/client.ts";
import { startService } from "../workerd/service.ts";

const ROUNDS = 5;
const OUTPUTS = TEN_SIZE_IDS.length;
const DOLLARS_MAX = 0.012;

export const costCase: BenchCase = {
  id: "cost",
  title: "Cost of 1,000 outputs at Cloudflare's prices, in packs of ten",
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
      await drawPack(0);
      progress(`${ROUNDS} packs`);
      const cpu: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const sample = await timed(
          () => cpuMsOf(service.worker.pid),
          () => drawPack(round),
        );
        cpu.push(sample.cpuMs);
      }
      const perPack: readonly (readonly [string, number, number])[] = [
        ["CPU, ms", median(cpu), PRICES.perCpuMs],
        ["requests and batches", PACK_OF_TEN.requests, PRICES.perRequest],
        ["D1 rows written", rowsOfPack(), PRICES.perD1RowWritten],
        ["R2 writes", PACK_OF_TEN.objectsWritten, PRICES.perR2ClassA],
        ["R2 reads", PACK_OF_TEN.objectsRead, PRICES.perR2ClassB],
        ["queue operations", PACK_OF_TEN.queueOperations, PRICES.perQueueOperation],
        ["object requests", PACK_OF_TEN.objectRequests, PRICES.perObjectRequest],
      ];
      const packs = 1_000 / OUTPUTS;
      const total = packPrice(median(cpu));
      return {
        rows: [
          ...perPack.map(([label, count, price]) => ({
            label,
            figures: { "a pack": count, "$ for 1,000 outputs": count * price * packs },
          })),
          { label: "together", figures: { "a pack": null, "$ for 1,000 outputs": total * packs } },
        ],
        targets: [atMost("US dollars for 1,000 outputs", total * packs, DOLLARS_MAX)],
        absences: [],
        notes: [
          `Prices of ${PRICES.readAt}, for usage beyond the included amounts; see bench/prices.ts. Storage, polls and downloads are not counted.`,
          "CPU is that of the whole local process, including simulators: more than the platform bills. The other rows are counted by test/fault/pack-costs.test.ts (D1 rows and R2 writes) and pack-figures.long.test.ts (R2 reads and object requests), or follow from the three messages of a pack; D1 rows include their index entries.",
        ],
      };
    } finally {
      await service.stop();
    }
  },
};
