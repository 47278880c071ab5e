import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { appendMembers, archiveKey, compressLines, readMember } from "#domains/artifacts/archive-object.ts";
import { newId } from "#platform/ids.ts";

/** An archive is a gzip file of JSON lines. */

const DAY = Date.UTC(2026, 9, 3) / 86_400_000;

it("an archive is named by workspace and day", () => {
  expect(archiveKey({ workspaceId: "w", day: DAY, part: 0 })).toBe(
    "workspaces/w/old-packs/2026-10-03.jsonl.gz",
  );
  expect(archiveKey({ workspaceId: "w", day: DAY, part: 1 })).toBe(
    "workspaces/w/old-packs/2026-10-03.2.jsonl.gz",
  );
});

it("an addition returns the place of each gzip member with its lines, and keeps earlier members", async () => {
  const workspaceId = newId();
  const lines = [['{"a":1}', '{"ü":"🌻"}'], ['{"b":2}'], ['{"c":3}']] as const;
  const members = await Promise.all(lines.map(compressLines));
  const [first, second] = (await appendMembers(env.BUCKET, workspaceId, DAY, members.slice(0, 2))) ?? [];
  const [third] = (await appendMembers(env.BUCKET, workspaceId, DAY, members.slice(2))) ?? [];
  for (const [at, place] of [first, second, third].entries()) {
    if (place === undefined) throw new Error("a member has no place");
    expect(await readMember(env.BUCKET, workspaceId, place)).toEqual(lines[at]);
  }
  const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/` });
  expect(objects.map(({ key }) => key)).toEqual([archiveKey({ workspaceId, day: DAY, part: 0 })]);
  expect(objects[0]?.size).toBe(members.reduce((sum, { byteLength }) => sum + byteLength, 0));
});

it("lines that already end the archive are not added again", async () => {
  const workspaceId = newId();
  const members = [await compressLines(["one"]), await compressLines(["two"])];
  const places = await appendMembers(env.BUCKET, workspaceId, DAY, members);
  expect(await appendMembers(env.BUCKET, workspaceId, DAY, members)).toEqual(places);
  expect(await appendMembers(env.BUCKET, workspaceId, DAY, members.slice(1))).toEqual(places?.slice(1));
});

it("of concurrent additions at least one succeeds, and the others can be repeated", async () => {
  const workspaceId = newId();
  const add = async (line: string) =>
    appendMembers(env.BUCKET, workspaceId, DAY, [await compressLines([line])]);
  // In the first round the day has no object yet.
  for (const round of ["first", "second"]) {
    const lines = [`${round} a`, `${round} b`, `${round} c`];
    const added = await Promise.all(lines.map(add));
    expect(added.filter((places) => places !== null).length).toBeGreaterThanOrEqual(1);
    for (const [at, places] of added.entries()) {
      const again = places ?? (await add(lines[at] ?? ""));
      const [place] = again ?? [];
      if (place === undefined) throw new Error("a line was not added");
      expect(await readMember(env.BUCKET, workspaceId, place)).toEqual([lines[at]]);
    }
  }
});

it("once a part of an archive is full, lines are added to a new part", async () => {
  const workspaceId = newId();
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  const large = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, at) => noise[at % noise.length] ?? 0);
  const [first] = (await appendMembers(env.BUCKET, workspaceId, DAY, [large])) ?? [];
  const small = await compressLines(["small"]);
  const [second] = (await appendMembers(env.BUCKET, workspaceId, DAY, [small])) ?? [];
  expect([first?.part, second?.part]).toEqual([0, 1]);
  const [third] = (await appendMembers(env.BUCKET, workspaceId, DAY, [await compressLines(["third"])])) ?? [];
  expect(third).toMatchObject({ part: 1, offset: small.byteLength });
});

it("reading a missing or damaged gzip member throws", async () => {
  const workspaceId = newId();
  const place = { day: DAY, part: 0, offset: 0, length: 30 };
  await expect(readMember(env.BUCKET, workspaceId, place)).rejects.toThrow("no member");
  const key = archiveKey({ workspaceId, ...place });
  await env.BUCKET.put(key, new Uint8Array(30));
  await expect(readMember(env.BUCKET, workspaceId, place)).rejects.toThrow();
  await env.BUCKET.put(key, new Uint8Array(20));
  await expect(readMember(env.BUCKET, workspaceId, place)).rejects.toThrow("no member");
});
