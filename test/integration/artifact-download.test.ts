import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import {
  DAMAGES,
  damageAfterRead,
  damageable,
  filePath,
  firstFile,
  linksOf,
  pathOf,
  type ReadyPack,
  readyPack,
  restore,
} from "../support/artifacts.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

let pack: ReadyPack;
beforeAll(async () => {
  pack = await readyPack();
});
/**
 * Link previews send HEAD. The ZIP library rejects with `undefined` when it is canceled, and that must not reach the
 * error handler.
 */
it("HEAD returns the headers of a pack and of a file, without a body", async () => {
  const links = await linksOf(pack);
  const day = pack.manifest.manifest.createdAt.slice(0, 10);
  expect(links.fileName).toBe(`aurora-mobile-display-v1-${day}.zip`);
  for (const { url, byteLength, fileName } of [links, ...links.files]) {
    const answer = await call("HEAD", pathOf(url));
    expect([answer.status, answer.bytes.byteLength]).toEqual([200, 0]);
    expect(answer.headers.get("Content-Length")).toBe(String(byteLength));
    expect(answer.headers.get("Content-Disposition")).toContain(`filename="${fileName}"`);
  }
});

it("the same pack gives the same ZIP, byte for byte", async () => {
  const first = await call("GET", pathOf((await linksOf(pack)).url));
  const second = await call("GET", pathOf((await linksOf(pack)).url));
  expect(await sha256Hex(first.bytes)).toBe(await sha256Hex(second.bytes));
});

it("a link stays valid for its five minutes after the signing key is rotated, unless the old key is removed", async () => {
  const path = pathOf((await linksOf(pack)).url);
  const DOWNLOAD_SIGNING_KEY = "the-next-signing-key-0123456789abcdef";
  const DOWNLOAD_SIGNING_KEY_PREVIOUS = env.DOWNLOAD_SIGNING_KEY ?? "";
  const rotation = { DOWNLOAD_SIGNING_KEY, DOWNLOAD_SIGNING_KEY_PREVIOUS };
  const rotated = await call("GET", path, { settings: rotation });
  expect(rotated.bytes.byteLength).toBeGreaterThan(0);
  expect(rotated.status).toBe(200);
  expect((await call("GET", path, { settings: { DOWNLOAD_SIGNING_KEY } })).status).toBe(403);
});

const downloadFile = () =>
  call("GET", filePath(pack, firstFile(pack).fileId), { secret: pack.client.secret });

it.each(Object.keys(DAMAGES))(
  "409: if a file is damaged (%s), no byte of it or of the ZIP is sent",
  async (damage) => {
    const links = await linksOf(pack);
    const stored = await damageable(pack, firstFile(pack).fileName);
    await DAMAGES[damage]?.(stored);
    expect(refusalOf(await call("GET", pathOf(links.url)))).toEqual([409, "FILE_CORRUPT"]);
    expect(refusalOf(await downloadFile())).toEqual([409, "FILE_CORRUPT"]);
    await restore(stored);
    expect((await downloadFile()).status).toBe(200);
  },
);

it("409: a file that changes between check and download is not sent", async () => {
  damageAfterRead(await damageable(pack, firstFile(pack).fileName), 1);
  expect(refusalOf(await downloadFile())).toEqual([409, "FILE_CORRUPT"]);
});

it("a file that changes while the ZIP is sent aborts the transfer", async () => {
  const links = await linksOf(pack);
  damageAfterRead(await damageable(pack, firstFile(pack).fileName), 1);
  await expect(call("GET", pathOf(links.url))).rejects.toThrow();
});
