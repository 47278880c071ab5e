import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LOOK_IDS, type LookId } from "#catalogue/looks.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { loadFonts } from "#renderer/compose/scene.ts";
import { composeAnimation } from "#renderer/motion/compose-animation.ts";
import { VIDEO } from "#renderer/motion/timeline.ts";
import { openBrowser } from "../conformance/support/browser.ts";
import { runFfmpeg } from "../support/ffmpeg.ts";
import { catalogueSize, draw, fileOf, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/** Guarantee: ffmpeg and Chromium decode the MP4 of every video size and of every look to the drawn frames. */

const VIDEO_SIZES = SIZES.filter(({ video }) => video !== undefined).map(({ sizeId }) => sizeId);
const CASES: readonly (readonly [string, LookId])[] = [
  ...VIDEO_SIZES.map((sizeId) => [sizeId, "classic"] as const),
  ...LOOK_IDS.filter((look) => look !== "classic").map((look) => ["tiktok-640x640", look] as const),
];
/** Every 24th frame is compared, so that some are in motion and some on the end card. */
const EVERY = 24;
/**
 * Minimum SSIM of a frame in `yuv420p`, with all planes weighted as in ffmpeg's filter `ssim`. In RGB, chroma
 * subsampling alone lowers it to 0.967 in the look bold, and to between 0.94 and 0.98 in first frames of 640x640.
 */
const SIMILARITY_MIN = 0.98;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "videos-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inputs = (look: LookId) =>
  inputsOf({
    assets: { media: sampleAsset("dandelion-turned.jpg"), logo: sampleAsset("logo-light.svg") },
    copy: { headline: "Soft as the first warm day", cta: "Find yours" },
    look,
  });

it.each(CASES)(
  "%s in the look %s meets the networks' rules and shows the drawn frames",
  async (sizeId, look) => {
    await withPack(inputs(look), async (pack) => {
      const size = catalogueSize(sizeId);
      const { width, height } = size;
      const file = fileOf(await draw(pack, { size, motion: "animated", format: "mp4" }));
      expect(file.compliance.checks.filter(({ passed }) => !passed)).toEqual([]);
      const path = join(folder, `${sizeId}-${look}.mp4`);
      await writeFile(path, file.bytes);

      const probed = await runFfmpeg("ffprobe", [
        "-show_streams",
        "-show_format",
        "-count_frames",
        "-of",
        "json",
        path,
      ]);
      const { streams, format } = JSON.parse(probed.toString());
      expect(streams).toHaveLength(1);
      expect(streams[0]).toMatchObject({
        ...{
          codec_name: "h264",
          profile: "Constrained Baseline",
          pix_fmt: "yuv420p",
          field_order: "progressive",
        },
        ...{ color_range: "tv", color_space: "bt709", color_transfer: "bt709", color_primaries: "bt709" },
        ...{
          width,
          height,
          r_frame_rate: "25/1",
          avg_frame_rate: "25/1",
          nb_read_frames: String(VIDEO.frames),
        },
      });
      expect(streams[0].level).toBeLessThanOrEqual(40);
      expect(Number(format.duration) * 1000).toBe(VIDEO.durationMs);
      expect(Number(format.bit_rate)).toBeGreaterThanOrEqual(size.video?.bitsPerSecondMin ?? 0);
      await loadFonts(pack, { size });
      const play = unwrap(composeAnimation(pack, { size }, "mp4"));
      const drawnPath = join(folder, "drawn.rgba");
      const compared = Array.from({ length: Math.ceil(VIDEO.frames / EVERY) }, (_, at) => at * EVERY);
      const drawn = compared.map((frame) => play.draw(Math.min(frame, play.delaysMs.length - 1)).pixels);
      await writeFile(
        drawnPath,
        Buffer.concat(drawn.map((pixels) => new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length))),
      );
      play.close();
      const input = [
        "-i",
        path,
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgba",
        "-s",
        `${width}x${height}`,
        "-i",
        drawnPath,
      ];
      const shown = `[0:v]select=not(mod(n\\,${EVERY})),setpts=N/25/TB[shown]`;
      const asVideo = "[1:v]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setpts=N/25/TB[drawn]";
      const graph = `${shown};${asVideo};[shown][drawn]ssim=stats_file=-`;
      const stats = await runFfmpeg("ffmpeg", [...input, "-lavfi", graph, "-f", "null", "-"]);
      const similarities = [...stats.toString().matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
      expect(similarities).toHaveLength(compared.length);
      expect(Math.min(...similarities), similarities.join(" ")).toBeGreaterThanOrEqual(SIMILARITY_MIN);
    });
  },
);

it("Chromium plays a video to its end", async () => {
  const size = catalogueSize("tiktok-640x640");
  const file = await withPack(inputs("classic"), async (pack) =>
    fileOf(await draw(pack, { size, motion: "animated", format: "mp4" })),
  );
  const browser = await openBrowser();
  const page = await browser.newPage();
  const address = `data:video/mp4;base64,${Buffer.from(file.bytes).toString("base64")}`;
  const played = await page.evaluate(`new Promise((resolve) => {
    const video = document.createElement("video");
    video.muted = true;
    video.onended = () => resolve([video.videoWidth, video.videoHeight, video.duration]);
    video.onerror = () => resolve(video.error.message);
    video.src = ${JSON.stringify(address)};
    video.play();
  })`);
  await browser.close();
  expect(played).toEqual([size.width, size.height, VIDEO.durationMs / 1000]);
});
