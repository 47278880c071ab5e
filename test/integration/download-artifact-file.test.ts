import { beforeAll, expect, it } from "vitest";
import {
  DAMAGES,
  damageAfterRead,
  damageable,
  filePath,
  firstFile,
  type ReadyPack,
  readyPack,
  restore,
  storedObject,
} from "../support/artifacts.ts";
import { refusalOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";

let pack: ReadyPack;
beforeAll(async () => {
  pack = await readyPack();
});
const download = (headers: Record<string, string> = {}) =>
  call("GET", filePath(pack, firstFile(pack).fileId), { secret: pack.client.secret, headers });

it("200: with headers that let the caller check the bytes", async () => {
  const { headers } = await download();
  expect(headers.get("ETag")).toBe(`"${firstFile(pack).checksum.value}"`);
  expect(headers.get("Repr-Digest")).toMatch(/^sha-256=:[A-Za-z0-9+/]{43}=:$/);
  const again = await download({ "If-None-Match": headers.get("ETag") ?? "" });
  expect([again.status, again.headers.get("Cache-Control")]).toEqual([304, headers.get("Cache-Control")]);
});

it.each(Object.keys(DAMAGES))("409: with %s, nothing of the file is sent", async (damage) => {
  const stored = await storedObject(pack, firstFile(pack).fileName);
  try {
    await DAMAGES[damage]?.(stored);
    expect(refusalOf(await download())).toEqual([409, "FILE_CORRUPT"]);
  } finally {
    await restore(stored);
  }
  expect((await download()).status).toBe(200);
});

it("409: a file that changes between check and sending is not sent", async () => {
  const stored = await damageable(pack, firstFile(pack).fileName);
  damageAfterRead(stored, 1);
  expect((await download()).body.error.code).toBe("FILE_CORRUPT");
});
