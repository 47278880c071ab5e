import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  FileError,
  type UploadProgress,
  type UploadSource,
  ValidationError,
} from "../../../sdk/src/index.ts";
import { font, photo } from "../../conformance/support/files.ts";
import { LOGO, type World } from "../support/world.ts";

export const uploads = (world: () => World): void => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "creative-packs-sdk-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("a path, a Blob, bytes and a stream are one file: sent once, then found by SHA-256", async () => {
    const bytes = await photo(900, 600);
    const path = join(folder, "beach.jpg");
    await writeFile(path, bytes);
    let puts = 0;
    const client = await world().client(0, {
      fetch: (url, init) => {
        if (init.method === "PUT") puts += 1;
        return fetch(url, init);
      },
    });
    const sources: readonly UploadSource[] = [
      path,
      new Blob([bytes]),
      bytes,
      new Blob([bytes]).stream(),
      new File([bytes], "other.jpg"),
    ];
    const assets = [];
    for (const source of sources) assets.push(await client.assets.upload(source, { slot: "media" }));
    expect(new Set(assets.map(({ assetId }) => assetId)).size).toBe(1);
    expect(puts).toBe(1);
    expect(assets[0]).toMatchObject({ fileName: "beach.jpg", status: "ready", width: 900, height: 600 });
    const again = await client.assets.upload(bytes, { slot: "media", again: true, name: "twin.jpg" });
    expect(again.assetId).not.toBe(assets[0]?.assetId);
    expect((await client.assets.upload(bytes, { slot: "background" })).slotId).toBe("background");
  });

  it("detects type and pixels of every kind of file, whatever its name", async () => {
    const client = await world().client(0);
    const sideways = await sharp(await photo(700, 500))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const lossless = await sharp(await photo(640, 520))
      .webp({ lossless: true })
      .toBuffer();
    const clear = await sharp(await photo(650, 530))
      .ensureAlpha(0.5)
      .webp()
      .toBuffer();
    const pictures = [
      [await photo(800, 600, "png"), 800, 600],
      [await photo(810, 610, "webp"), 810, 610],
      [new Uint8Array(lossless), 640, 520],
      [new Uint8Array(clear), 650, 530],
      [
        await sharp(await photo(720, 560))
          .jpeg({ progressive: true })
          .toBuffer(),
        720,
        560,
      ],
      // The size after the EXIF orientation is applied, as the service stores it.
      [sideways, 500, 700],
    ] as const;
    for (const [bytes, width, height] of pictures) {
      const asset = await client.assets.upload(bytes, { slot: "media", name: "picture.bin" });
      expect(asset).toMatchObject({ width, height, status: "ready" });
    }
    expect(await client.assets.upload(LOGO, { slot: "logo" })).toMatchObject({ mimeType: "image/svg+xml" });
    expect(await client.assets.upload(font(), { slot: "font" })).toMatchObject({
      mimeType: "font/ttf",
      width: null,
    });
  });

  it("rejects an unsupported file type with advice before sending anything", async () => {
    const sent: string[] = [];
    const client = await world().client(0, {
      fetch: (url, init) => {
        sent.push(url);
        return fetch(url, init);
      },
    });
    const text = new TextEncoder().encode("hello");
    const gif = new TextEncoder().encode("GIF89a…");
    const upload = (source: UploadSource) => client.assets.upload(source, { slot: "logo", name: "mark" });
    await expect(upload(text)).rejects.toThrow("mark is none of the types that are taken. Export it as PNG");
    await expect(upload(gif)).rejects.toThrow("mark is a GIF file. Export it as PNG");
    await expect(upload(new Uint8Array())).rejects.toThrow("is empty");
    await expect(upload(new Uint8Array(26_214_401))).rejects.toThrow("larger than 26214400 bytes");
    await expect(upload(new Uint8Array([0xff, 0xd8, 0xff, 0xd9]))).rejects.toThrow("it is damaged");
    await expect(upload(join(folder, "nothing.png"))).rejects.toThrow("There is no such file");
    await expect(upload(folder)).rejects.toBeInstanceOf(FileError);
    expect(sent).toEqual([]);
  });

  it("the service rejects a fake image with a reason", async () => {
    const client = await world().client(0);
    const hollow = (await photo(800, 600, "png")).slice(0, 2_000);
    const upload = client.assets.upload(hollow, { slot: "media" });
    await expect(upload).rejects.toBeInstanceOf(ValidationError);
    await expect(upload).rejects.toMatchObject({ code: "ASSET_REJECTED" });
  });

  it("progress goes from zero to all bytes, and a signal aborts an upload", async () => {
    const client = await world().client(0);
    const bytes = await photo(1_600, 1_200, "png");
    const told: UploadProgress[] = [];
    await client.assets.upload(bytes, { slot: "media", onProgress: (progress) => told.push(progress) });
    const totalBytes = bytes.byteLength;
    expect(told[0]).toEqual({ sentBytes: 0, totalBytes });
    expect(told.at(-1)).toEqual({ sentBytes: totalBytes, totalBytes });
    expect(told.length).toBeGreaterThan(3);
    expect(told.map(({ sentBytes }) => sentBytes)).toEqual(
      told.map(({ sentBytes }) => sentBytes).sort((left, right) => left - right),
    );
    const ended = client.assets.upload(bytes, { slot: "media", again: true, signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ name: "AbortedError" });
  });
};
