import { PhotonImage, resize as photonResize, SamplingFilter } from "@cf-wasm/photon/workerd";
import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";
import decodeJpeg, { init as initJpeg } from "@jsquash/jpeg/decode.js";
import pngDecoder from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?module";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import resize, { initResize } from "@jsquash/resize";
import resizer from "@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm?module";
import webpDecoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import { heldAsset, holdAsset } from "./held-assets.ts";
import type { DecodeAnswer, DecodeTask } from "./tasks.ts";

/** The two usual image libraries for Workers. Each decodes an image completely and scales it with Lanczos. */

/** Browser globals that the packages need. */
class Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
if (!("ImageData" in globalThis)) Object.assign(globalThis, { ImageData: Pixels });

let areReady = false;

async function makeReady(): Promise<void> {
  if (areReady) return;
  await initJpeg(jpegDecoder);
  await initPng(pngDecoder);
  await initWebp(webpDecoder);
  await initResize(resizer);
  areReady = true;
}

const DECODERS = {
  "image/jpeg": decodeJpeg,
  "image/png": decodePng,
  "image/webp": decodeWebp,
} as const;

async function byJsquash({ asset, mimeType, width, height }: DecodeTask): Promise<DecodeAnswer> {
  await makeReady();
  const whole = await DECODERS[mimeType](heldAsset(asset).buffer);
  // jSquash scales in linear light by default, which doubles the work. The other contestants scale encoded values.
  const small = await resize(whole, { width, height, method: "lanczos3", linearRGB: false });
  return { width: small.width, height: small.height };
}

function byPhoton({ asset, width, height }: DecodeTask): DecodeAnswer {
  const whole = PhotonImage.new_from_byteslice(heldAsset(asset));
  try {
    const small = photonResize(whole, width, height, SamplingFilter.Lanczos3);
    // Copies the pixels out of WASM memory, as the other decoders do.
    small.get_raw_pixels();
    const answer = { width: small.get_width(), height: small.get_height() };
    small.free();
    return answer;
  } finally {
    whole.free();
  }
}

export default {
  async fetch(request) {
    const held = await holdAsset(request);
    if (held !== null) return held;
    const task = await request.json<DecodeTask>();
    let answer: DecodeAnswer = { width: 0, height: 0 };
    for (let time = 0; time < task.times; time += 1) {
      answer = new URL(request.url).pathname === "/photon" ? byPhoton(task) : await byJsquash(task);
    }
    return Response.json(answer);
  },
} satisfies ExportedHandler;
