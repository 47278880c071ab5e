import { atMost, type BenchCase } from "../bench-case.ts";
import { sideBySide } from "../clock/side-by-side.ts";
import { startBenchWorker } from "../workerd/bench-worker.ts";
import type { DecodeTask, FacesAnswer, FacesTask } from "../workers/tasks.ts";

const WIDTH = 1080;
const ROUNDS = 5;
/** How often in one measurement: the clock goes in steps of ten milliseconds. */
const TIMES = 4;
/** Finding faces may take half as long again as decoding the photograph they are looked for in. */
const TIMES_DECODING_MAX = 1.5;

const FACES = "finding faces in it";
const DECODING = "decoding it";

export const facesCase: BenchCase = {
  id: "faces",
  title: "Finding faces in a 12 MP JPEG beside decoding it, CPU time",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    progress("starting the contestants");
    const finder = await startBenchWorker("renderer.ts");
    const decoder = await startBenchWorker("renderer.ts");
    try {
      await finder.hold("photo", photo.bytes);
      await decoder.hold("photo", photo.bytes);
      const { mimeType } = photo;
      const height = Math.round((photo.height * WIDTH) / photo.width);
      const decodeTask: DecodeTask = { asset: "photo", mimeType, width: WIDTH, height, times: TIMES };
      const facesTask: FacesTask = { asset: "photo", mimeType, width: WIDTH, height, times: TIMES };
      const { scans } = await finder.ask<FacesAnswer>("/faces", facesTask);
      const measured = await sideBySide(
        [
          { name: FACES, cpuMs: finder.cpuMs, run: () => finder.ask("/faces", facesTask) },
          { name: DECODING, cpuMs: decoder.cpuMs, run: () => decoder.ask("/decode", decodeTask) },
        ],
        ROUNDS,
      );
      const cpuMs = (name: string) => (measured.get(name)?.cpuMs ?? Number.NaN) / TIMES;
      const perFind = cpuMs(FACES);
      return {
        rows: [
          {
            label: FACES,
            figures: {
              "CPU ms": perFind,
              scans,
              "CPU ms a scan": perFind / scans,
              "CPU / decoding": perFind / cpuMs(DECODING),
            },
          },
          {
            label: DECODING,
            figures: { "CPU ms": cpuMs(DECODING), scans: null, "CPU ms a scan": null, "CPU / decoding": 1 },
          },
        ],
        targets: [atMost("times the CPU time of decoding", perFind / cpuMs(DECODING), TIMES_DECODING_MAX)],
        absences: [],
        notes: [
          `Decoding is to ${WIDTH} pixels, as in the case decode. Faces are looked for in the pixels that it gives, their halvings included.`,
        ],
      };
    } finally {
      await Promise.all([finder.stop(), decoder.stop()]);
    }
  },
};
