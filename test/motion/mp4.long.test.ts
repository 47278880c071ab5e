import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LOOK_IDS, type LookId } from "#catalogue/looks.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { composeScene, flattenScene, loadFonts, releaseScene } from "#renderer/compose/scene.ts";
import { movingPhotosOf } from "#renderer/motion/animate.ts";
import { playOf } from "#renderer/motion/compose-animation.ts";
import { VIDEO } from "#renderer/motion/timeline.ts";
import { copyOf } from "#renderer/raster/canvas.ts";
import { openBrowser } from "../conformance/support/browser.ts";
import { runFfmpeg } from "../support/ffmpeg.ts";
import { catalogueSize, draw, fileOf, inputsOf, sampleAsset, withPack } from "../support/renderer.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";

/** Guarantee: every size that takes videos, and every look, gives an MP4 that ffmpeg and Chromium decode to the drawn frames. */

const VIDEO_SIZES = SIZES.filter(({ video }) => video !== undefined).map(({ sizeId }) => sizeId);
const CASES: readonly (readonly [string, LookId])[] = [
  ...VIDEO_SIZES.map((sizeId) => [sizeId, "classic"] as const),
  ...LOOK_IDS.filter((look) => look !== "classic").map((look) => ["tiktok-640x640", look] as const),
];
/** Frames that are compared: in motion, and on the end card. */
const EVERY = 24;
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
  "%s in the look %s is what networks ask for, and shows what was drawn",
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

      const select = `select=not(mod(n\\,${EVERY}))`;
      const raw = ["-f", "rawvideo", "-pix_fmt", "rgba", "-"];
      const decoded = await runFfmpeg("ffmpeg", ["-i", path, "-vf", select, "-vsync", "passthrough", ...raw]);
      await loadFonts(pack, { size });
      const composed = composeScene(pack, { size }, true);
      if (!composed.ok) throw new Error(composed.message);
      const scene = composed.value;
      const { hasBorder } = flattenScene({ ...scene, backdrop: copyOf(scene.backdrop) }, size.needsBorder);
      const play = playOf(scene, hasBorder, size, movingPhotosOf(pack, scene), "mp4");
      const frameBytes = width * height * 4;
      expect(decoded.length).toBe(Math.ceil(VIDEO.frames / EVERY) * frameBytes);
      for (let at = 0; at * frameBytes < decoded.length; at += 1) {
        const shown = decoded.subarray(at * frameBytes, (at + 1) * frameBytes);
        const drawn = play.draw(Math.min(at * EVERY, play.delaysMs.length - 1));
        const similarity = structuralSimilarity(shown, drawn.pixels, width, height, 4);
        expect(similarity, `frame ${at * EVERY}`).toBeGreaterThanOrEqual(SIMILARITY_MIN);
      }
      releaseScene(scene);
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
