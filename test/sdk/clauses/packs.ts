import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type CreativePacks, PackFailedError, type PackProgress, SaveError } from "../../../sdk/src/index.ts";
import { photo, transparentProduct } from "../../conformance/support/files.ts";
import { all, LOGO, SMALL, type World } from "../support/world.ts";

/** Mounts a small disk for one process. Some machines do not allow it. */
const SMALL_DISK = "mount -t tmpfs -o size=$BYTES none";
const mayMount =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", tmpdir()], { stdio: "ignore" }).status === 0;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const packs = (world: () => World): void => {
  let folder: string;
  let apiKey: string;
  let client: CreativePacks;
  let logo: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "creative-packs-sdk-"));
    apiKey = await world().key(20);
    client = world().clientOf(apiKey);
    logo = (await client.assets.upload(LOGO, { slot: "logo" })).assetId;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("orders, awaits and downloads a pack, with the same files in the ZIP", async () => {
    const told: PackProgress[] = [];
    const order = { contractId: "display.v1", selectedSizeIds: ["iab-320x50", "iab-300x50"] };
    const pack = await client.packs.create({ ...order, assetIds: { logo } });
    await expect(pack.manifest()).rejects.toThrow("call `await pack.wait()` first");
    await pack.wait({ onProgress: (progress) => told.push(progress), pollMs: 50 });
    expect(told.at(-1)).toEqual({ status: "succeeded", completed: 2, total: 2 });
    const files = await pack.files();
    expect(files.map(({ sizeId }) => sizeId)).toEqual(order.selectedSizeIds);
    const to = join(folder, "first", "pack");
    const saved = await pack.download(to);
    expect(saved.map(({ wasSkipped }) => wasSkipped)).toEqual([false, false]);
    expect((await readdir(to)).sort()).toEqual(
      [...files.map(({ fileName }) => fileName), "manifest.json"].sort(),
    );
    const zipped = unzipSync(await pack.zip());
    for (const { fileName, checksum } of files) {
      expect(sha256(await readFile(join(to, fileName)))).toBe(checksum.value);
      expect(sha256(zipped[fileName] ?? new Uint8Array())).toBe(checksum.value);
    }
    expect(await readFile(join(to, "manifest.json"), "utf8")).toBe(
      new TextDecoder().decode(zipped["manifest.json"]),
    );
    const streamed = new Uint8Array(await new Response(await pack.zipStream()).arrayBuffer());
    expect(Object.keys(unzipSync(streamed))).toEqual(Object.keys(zipped));
    // A partial file of an earlier download is fetched again; a complete one is kept.
    await writeFile(join(to, files[0]?.fileName ?? ""), "half");
    const again = await (await client.packs.get(pack.id)).download(to);
    expect(again.map(({ wasSkipped }) => wasSkipped)).toEqual([false, true]);
  });

  it("`reuse` finds the same pack without paying again, and pays for a different one", async () => {
    const before = (await client.balance.get()).credits.available;
    const order = { ...SMALL, assetIds: { logo }, outputFormat: "webp" as const, reuse: true };
    const first = await client.packs.create(order);
    await first.wait({ pollMs: 50 });
    const second = await client.packs.create(order);
    expect([first.isReused, second.isReused, second.id === first.id]).toEqual([false, true, true]);
    await second.wait();
    expect(await second.files()).toHaveLength(1);
    const other = await client.packs.create({ ...order, outputFormat: "jpg" });
    expect(other.isReused).toBe(false);
    expect(await client.packs.create({ ...SMALL, assetIds: { logo }, outputFormat: "webp" })).toMatchObject({
      isReused: false,
    });
    expect((await client.balance.get()).credits.available).toBe(before - 3);
  });

  it("`reuse` pays for concurrent orders of the same pack once, and again after the files have expired", async () => {
    const before = (await client.balance.get()).credits.available;
    const order = { ...SMALL, assetIds: { logo }, copy: { headline: "At once" }, reuse: true };
    const inOtherWords = { ...order, motion: "static", variant: 1, look: "classic" } as const;
    const other = world().clientOf(apiKey);
    const packs = await Promise.all([
      ...[order, inOtherWords, order].map((each) => client.packs.create(each)),
      ...[inOtherWords, order].map((each) => other.packs.create(each)),
    ]);
    expect(new Set(packs.map(({ id }) => id)).size).toBe(1);
    expect(packs.filter(({ isReused }) => !isReused)).toHaveLength(1);
    expect((await client.balance.get()).credits.available).toBe(before - 1);
    const [first] = packs;
    await first?.wait({ pollMs: 50 });
    const expire = world().service.db.prepare("UPDATE artifacts SET expires_at = 1 WHERE job_id = ?");
    await expire.bind(first?.id ?? "").run();
    const again = await client.packs.create(order);
    expect([again.isReused, again.id === first?.id]).toEqual([false, false]);
  });

  it("`reuse` pays for concurrent orders of the same pack at most once per UTC day of the callers' clocks", async () => {
    const before = (await client.balance.get()).credits.available;
    const order = { ...SMALL, assetIds: { logo }, copy: { headline: "At midnight" }, reuse: true };
    let calls = 0;
    vi.spyOn(Date.prototype, "toISOString").mockImplementation(
      () => `2030-01-0${1 + (calls++ % 2)}T00:00:00Z`,
    );
    const packs = await Promise.all(Array.from({ length: 8 }, () => client.packs.create(order)));
    vi.restoreAllMocks();
    expect(calls).toBeGreaterThan(1);
    const paid = packs.filter(({ isReused }) => !isReused).length;
    expect(new Set(packs.map(({ id }) => id)).size).toBe(paid);
    expect(paid).toBeLessThanOrEqual(2);
    expect((await client.balance.get()).credits.available).toBe(before - paid);
  });

  it("waiting for a failed pack throws its job; the pack is refunded, and no file is written", async () => {
    const before = (await client.balance.get()).credits.available;
    const { assetId: product } = await client.assets.upload(await transparentProduct(), { slot: "product" });
    const pack = await client.packs.create({ ...SMALL, assetIds: { product } });
    const failed = pack.wait({ pollMs: 50 });
    await expect(failed).rejects.toBeInstanceOf(PackFailedError);
    await expect(failed).rejects.toMatchObject({ job: { status: "failed", failure: { refunded: true } } });
    await expect(pack.download(join(folder, "failed"))).rejects.toBeInstanceOf(PackFailedError);
    await expect(readdir(join(folder, "failed"))).rejects.toThrow("ENOENT");
    expect((await client.balance.get()).credits.available).toBe(before);
  });

  it("an aborted wait ends while the pack continues", async () => {
    const pack = await client.packs.create({ ...SMALL, assetIds: { logo } });
    const waiting = pack.wait({ signal: AbortSignal.timeout(30), pollMs: 10_000 });
    await expect(waiting).rejects.toMatchObject({ name: "AbortedError" });
    expect((await pack.wait({ pollMs: 50 })).status).toBe("succeeded");
    expect((await pack.cancel()).status).toBe("succeeded");
  });

  it("an order without a scope pays nothing and names the scope", async () => {
    const { secret } = await client.apiKeys.create({ name: "Reader", scopes: ["jobs:read"] });
    const order = world()
      .clientOf(secret)
      .packs.create({ ...SMALL, assetIds: { logo } });
    await expect(order).rejects.toMatchObject({
      name: "PermissionError",
      code: "SCOPE_MISSING",
      details: { requiredScope: "jobs:write" },
    });
  });

  it("a download to an unwritable folder throws a SaveError with the reason", async () => {
    const [job] = await all(client.jobs.list({ status: "succeeded" }));
    const pack = await client.packs.get(job?.jobId ?? "");
    const file = join(folder, "a-file");
    await writeFile(file, "x");
    const download = pack.download(join(file, "inside"));
    await expect(download).rejects.toBeInstanceOf(SaveError);
    await expect(download).rejects.toThrow("A part of the path is a file");
  });

  it.each([
    // Ignores SIGXFSZ, which would end Node.js.
    ["EFBIG", "no files of this size", "trap '' XFSZ; ulimit -f $LIMIT; exec $RUN"],
    ...(mayMount ? [["ENOSPC", "disk is full", `unshare -rm sh -c "${SMALL_DISK} $TO && exec $RUN"`]] : []),
  ])(
    "a full disk (%s) keeps complete files and leaves no partial file under a final name",
    async (...fault) => {
      const [code, reason, shell = ""] = fault;
      const to = join(folder, `full-${code}`);
      const pack = await client.packs.create({
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50", "iab-160x600"],
        assetIds: {
          logo,
          background: (await client.assets.upload(await photo(900, 900), { slot: "background" })).assetId,
        },
      });
      await pack.wait({ pollMs: 50 });
      const files = await pack.files();
      const [small, large] = [...files].sort((left, right) => left.byteLength - right.byteLength);
      const limitKilobytes = Math.ceil((small?.byteLength ?? 0) / 4_096) * 4 + 4;
      expect(large?.byteLength).toBeGreaterThan(limitKilobytes * 1_024 * 2);
      const script = `
      import { createHash } from "node:crypto";
      import { readdir, readFile } from "node:fs/promises";
      import { CreativePacks } from ${JSON.stringify(join(process.cwd(), "sdk/src/index.ts"))};
      const pack = await new CreativePacks().packs.get(${JSON.stringify(pack.id)});
      const to = ${JSON.stringify(to)};
      const said = await pack.download(to, { concurrency: 1 }).catch(({ name, code, message }) => [name, code, message]);
      const names = await readdir(to);
      const sums = names.map(async (name) =>
        createHash("sha256").update(await readFile(to + "/" + name)).digest("hex"));
      console.log(JSON.stringify([...said, names, await Promise.all(sums)]));`;
      const path = join(folder, "limited.mjs");
      await writeFile(path, script);
      await mkdir(to);
      const said = await runShell(shell, {
        RUN: `${process.execPath} ${path}`,
        LIMIT: String(limitKilobytes),
        BYTES: String(limitKilobytes * 1_024),
        TO: to,
        CREATIVE_PACKS_API_KEY: apiKey,
        CREATIVE_PACKS_BASE_URL: world().service.origin,
      });
      const [name, found, message, names, sums] = JSON.parse(said);
      expect([name, found]).toEqual(["SaveError", code]);
      expect(message).toContain(join(to, large?.fileName ?? ""));
      expect(message).toContain(reason);
      expect([names, sums]).toEqual([[small?.fileName], [small?.checksum.value]]);
    },
  );
};

function runShell(command: string, environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { env: { ...process.env, ...environment } });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
      });
    child.on("error", reject);
    child.on("close", () => resolve(said.trim()));
  });
}
