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
