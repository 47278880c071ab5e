import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { jobMessageSchema } from "#api/schemas/webhook-message.ts";
import { bundleCommand } from "../../../scripts/make/sdk/bundle-command.ts";
import { serve } from "../../../scripts/run/receivers/serve.ts";
import {
  type ReceivedMessage,
  readMessage,
  verifyMessage,
} from "../../../scripts/run/receivers/webhook-receiver.ts";
import { CreativePacks } from "../../../sdk/src/index.ts";
import { seedKey, seedWorkspace } from "../../conformance/support/arrange.ts";
import { run } from "../package/installed.ts";
import { type Ended, type RunOptions, runCommand } from "../support/command.ts";
import { startDroppingProxy } from "../support/dropping-proxy.ts";
import { all, LOGO, type World } from "../support/world.ts";

/** Tests of the command line: payments, files, output and exit codes. */

const SIZE = "iab-320x50";

/** A user at a command line: a folder, a logo and a workspace. */
interface Person {
  readonly folder: string;
  readonly logo: string;
  readonly client: CreativePacks;
  readonly run: (parameters: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly credits: () => Promise<number>;
}

export const commands = (world: () => World): void => {
  let root: string;
  let main: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "creative-packs-command-"));
    main = join(root, "cli.mjs");
    await bundleCommand(main, true);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  async function personWith(credits: number, scopes?: readonly string[]): Promise<Person> {
    const { service } = world();
    const seeded = await seedWorkspace(service, { credits });
    const folder = await mkdtemp(join(root, "person-"));
    const logo = join(folder, "logo.svg");
    await writeFile(logo, LOGO);
    const used = scopes === undefined ? seeded : await seedKey(service, seeded.workspaceId, { scopes });
    const env = { CREATIVE_PACKS_API_KEY: used.key, CREATIVE_PACKS_BASE_URL: service.origin };
    const client = new CreativePacks({ apiKey: seeded.key, baseUrl: service.origin });
    return {
      folder,
      logo,
      client,
      run: (parameters, options = {}) =>
        runCommand(main, ["--json", ...parameters], { ...options, env: { ...env, ...options.env } }),
      credits: async () => (await client.balance.get()).credits.available,
    };
  }

  const make = ({ logo, folder }: Person, ...more: string[]): string[] => [
    ...["make", "--logo", logo, "--sizes", SIZE, "--out", join(folder, "out"), ...more],
  ];

  it("makes a pack, and pays for the same one again only on request", async () => {
    const person = await personWith(10);
    const first = await person.run(make(person, "--headline", "Once"));
    expect(first.code, first.stderr).toBe(0);
    expect(first.json[0]).toMatchObject({ paidCredits: 1, files: [{ fileName: `${SIZE}.png` }] });
    expect(await readdir(join(person.folder, "out"))).toEqual([`${SIZE}.png`, "manifest.json"]);
    const second = await person.run(make(person, "--headline", "Once"));
    expect(second.json[0]).toMatchObject({ paidCredits: 0, jobId: first.json[0].jobId });
    expect(await person.credits()).toBe(9);
    const third = await person.run(make(person, "--headline", "Once", "--again"));
    expect(third.json[0].jobId).not.toBe(first.json[0].jobId);
    expect(await person.credits()).toBe(8);
  });

  it("designs a pack by options and columns, and reports an unknown look before any upload", async () => {
    const person = await personWith(10);
    const composed = ["--variant", "2", "--composition", "split", "--scale", "1"];
    const design = ["--headline", "Now", "--price", "9 €", "--look", "bold", ...composed];
    const quoted = await person.run(make(person, ...design, "--button-color", "#0b5fff", "--dry-run"));
    expect(quoted.code, quoted.stderr).toBe(0);
    expect(quoted.json[0].request).toMatchObject({
      copy: { headline: "Now", price: "9 €" },
      brand: { buttonColor: "#0b5fff" },
      look: "bold",
      variant: 2,
      composition: "split",
      scale: 1,
    });
    const table = join(person.folder, "looks.csv");
    await writeFile(
      table,
      "name,logo,headline,old-price,price,look,variant\na,logo.svg,Now,12 €,9 €,blod,1\n",
    );
    const refused = await person.run(["make", "--rows", table, "--out", join(person.folder, "rows")]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("look is `blod`")]);
    const { brandId } = await person.client.brands.create({ name: "Velo", disclaimer: "While stocks last." });
    const columns = "name,logo,headline,old-price,price,look,variant,sizes,brand,button-style";
    await writeFile(table, `${columns}\na,logo.svg,Now,12 €,9 €,retail,3,${SIZE},${brandId},rule\n`);
    const made = await person.run(["make", "--rows", table, "--out", join(person.folder, "rows")]);
    expect(made.code, made.stderr).toBe(0);
    const [job] = await all(person.client.jobs.list());
    const copy = { price: "9 €", oldPrice: "12 €", disclaimer: "While stocks last." };
    expect(job).toMatchObject({ look: "retail", variant: 3, brandId, buttonStyle: "rule", copy });
  });

  it("accepts placements and overrides as JSON or a file, and reports malformed ones before any upload", async () => {
    const person = await personWith(10);
    const placements = { logo: { focalPoint: { x: 0.5, y: 0.5 } } };
    const overrides = { [SIZE]: { copy: { headline: "Ride" }, variant: 2 } };
    await writeFile(join(person.folder, "overrides.json"), `\uFEFF${JSON.stringify(overrides)}`);
    await writeFile(join(person.folder, "list.json"), "[1]");
    await writeFile(join(person.folder, "long.json"), `{${" ".repeat(65_536)}}`);
    const quoted = await person.run(
      make(person, "--headline", "Now", "--overrides", join(person.folder, "overrides.json"), "--dry-run"),
    );
    expect(quoted.code, quoted.stderr).toBe(0);
    expect(quoted.json[0].request).toMatchObject({ overrides });
    // The service rejects an object that is not a placement, and the command prints its message.
    const refused = await person.run(make(person, "--placements", JSON.stringify(placements), "--dry-run"));
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("placements");
    const inRow = `"${JSON.stringify(overrides).replaceAll('"', '""')}"`;
    const table = join(person.folder, "sizes.csv");
    const rows = (...lines: readonly string[]) =>
      writeFile(table, ["name,logo,headline,sizes,overrides", ...lines, ""].join("\n"));
    const command = ["make", "--rows", table, "--out", join(person.folder, "rows")];
    const wrong = ["nowhere.json", "{not json", "list.json", "long.json"];
    await rows(...["overrides.json", ...wrong].map((cell, at) => `${at},logo.svg,Now,${SIZE},${cell}`));
    const mistaken = await person.run(command);
    expect(mistaken.code).toBe(2);
    for (const words of [
      /line 3: overrides: there is no file .*nowhere\.json/,
      /line 4: overrides is not valid JSON/,
      /line 5: overrides: .*list\.json is not an object of JSON/,
      /line 6: overrides: .*long\.json is larger than 65536 bytes/,
    ])
      expect(mistaken.stderr).toMatch(words);
    await rows(`a,logo.svg,Now,${SIZE},overrides.json`, `b,logo.svg,Now,${SIZE},${inRow}`);
    const made = await person.run(command);
    expect(made.code, made.stderr).toBe(0);
    // Both rows have the same request, so they are one order.
    const jobs = await all(person.client.jobs.list());
    expect(jobs).toHaveLength(1);
    expect(await person.client.jobs.get(jobs[0]?.jobId ?? "")).toMatchObject({ overrides });
    // A changed file makes a different order.
    await writeFile(join(person.folder, "overrides.json"), JSON.stringify({ [SIZE]: { variant: 3 } }));
    expect((await person.run(command)).code).toBe(0);
    expect(await all(person.client.jobs.list())).toHaveLength(2);
  });

  it("finds an order whose response was lost, and pays once", async () => {
    const person = await personWith(10);
    const proxy = await startDroppingProxy(world().service.origin, "POST", "/api/v1/jobs", 5);
    try {
      const env = { CREATIVE_PACKS_BASE_URL: proxy.origin };
      const lost = await person.run(make(person, "--headline", "Lost"), { env });
      expect(lost.code).toBe(6);
      expect(proxy.droppedAnswers()).toBe(5);
      const found = await person.run(make(person, "--headline", "Lost"), { env });
      expect(found.code, found.stderr).toBe(0);
      expect(await person.credits()).toBe(9);
      expect(await all(person.client.jobs.list())).toHaveLength(1);
    } finally {
      await proxy.stop();
    }
  });

  const WHOLE = process.env.SDK_SCALE === "full";
  const ROWS = WHOLE ? 200 : 8;
  const KILLED_AFTER = WHOLE ? [1, 60, 70] : [1, 3, 3];

  it(`${ROWS} rows become ${ROWS} packs and ${ROWS} charges, despite three killed runs`, async () => {
    const person = await personWith(ROWS + 50);
    const names = Array.from({ length: ROWS }, (_, at) => `pack ${at}`);
    const table = join(person.folder, "rows.csv");
    const rows = names.map((name, at) => `${name},logo.svg,"Row, number ${at}",${SIZE}`);
    await writeFile(table, `Name,Logo,Headline,Sizes\r\n${rows.join("\r\n")}\r\n`);
    const out = join(person.folder, "packs");
    const makeRows = ["make", "--rows", table, "--out", out];
    for (const killAfterLines of KILLED_AFTER) {
      const killed = await person.run(makeRows, { killAfterLines });
      expect(killed.code).toBeNull();
      await expectWholeFiles(out);
    }
    const last = await person.run(makeRows);
    expect(last.code, last.stderr).toBe(0);
    expect(last.json.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const name of names)
      expect(await readdir(join(out, name))).toEqual(
        expect.arrayContaining([`${SIZE}.png`, "manifest.json"]),
      );
    await expectWholeFiles(out);
    expect(await person.credits()).toBe(50);
    expect(await all(person.client.jobs.list({ limit: 100 }))).toHaveLength(ROWS);
    const charges = (await all(person.client.usage.list({ limit: 100 }))).filter(({ amount }) => amount < 0);
    expect(charges).toHaveLength(ROWS);

    // A second run pays nothing, even without the journal and the packs.
    const again = await person.run(makeRows);
    expect(again.json.every(({ status }) => status === "was there")).toBe(true);
    await rm(out, { recursive: true });
    const anew = await person.run(makeRows);
    expect(anew.json.every(({ status }) => status === "found")).toBe(true);
    expect(await person.credits()).toBe(50);
  }, 900_000);

  /** Checks that files are complete, except for temporary files of a killed process. */
  async function expectWholeFiles(out: string): Promise<void> {
    for (const entry of await readdir(out, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const folder = join(out, entry.name);
      for (const file of (await readdir(folder)).filter((name) => name.endsWith(".png") && name[0] !== ".")) {
        const bytes = await readFile(join(folder, file));
        expect(bytes.subarray(-8, -4).toString("latin1"), `${folder}/${file}`).toBe("IEND");
      }
    }
  }

  it("reports all rows with mistakes by line, before any upload", async () => {
    const person = await personWith(10);
    const table = join(person.folder, "rows.csv");
    const refused = async (text: string): Promise<string> => {
      await writeFile(table, text);
      const { code, stderr } = await person.run([
        "make",
        "--rows",
        table,
        "--out",
        join(person.folder, "packs"),
      ]);
      expect(code, stderr).toBe(2);
      return stderr;
    };
    expect(await refused("name,colour\na,red\n")).toContain("`colour` that is not known");
    const every = await refused(
      [
        "name,logo,sizes,look,motion,contract",
        `a,none.svg,${SIZE},blod,fast,`,
        "b,logo.svg,iab-300x251,,,",
        `a,logo.svg,${SIZE},,,`,
        "c,logo.svg",
        `d,ftp://x.example/a.svg,${SIZE},,,display.v9`,
        `..,logo.svg,${SIZE},,,`,
        "",
      ].join("\n"),
    );
    expect(JSON.parse(every).error.message.split("\n  ")).toEqual([
      expect.stringMatching(/rows\.csv needs mending; nothing was ordered\.$/),
      "line 2: look is `blod`. Choose one of: classic, bold, editorial, minimal, retail, premium, playful.",
      "line 2: motion is `fast`. Choose one of: static, animated.",
      expect.stringMatching(/^line 2: logo: .*none\.svg: there is no such file\. Check the path\.$/),
      expect.stringMatching(
        /^line 3: sizes: display\.v1 has no size `iab-300x251`\. Did you mean iab-300x250, \S+ or \S+\? All: `creative-packs sizes display\.v1`\.$/,
      ),
      "line 4: the name `a` is on line 2 already",
      expect.stringMatching(/^line 5: cannot be read as CSV: .*columns length is 6, got 2/),
      expect.stringMatching(/^line 6: logo: ftp:.*https addresses only\.$/),
      "line 6: contract: there is no `display.v9`. `creative-packs sizes` lists what there is.",
      expect.stringMatching(/^line 7: the name `\.\.` cannot be a folder/),
    ]);
    expect(await refused('name,headline\n"a,b\n')).toContain("cannot be read as CSV");
    expect(await refused("name\n../../etc\n")).toContain("cannot be a folder");
    expect(await person.credits()).toBe(10);
    expect(await all(person.client.assets.list())).toEqual([]);
    expect(await all(person.client.jobs.list())).toEqual([]);
  });

  it("a dry run of a table prints each row's cost or mistake, and orders nothing", async () => {
    const person = await personWith(10);
    const table = join(person.folder, "rows.csv");
    const cells = ["a,logo.svg,Hello,", "b,logo.svg,Hello,", `c,logo.svg,${"x".repeat(400)},`];
    const rows = cells.map((row) => `${row}${SIZE}`);
    await writeFile(
      table,
      `name,logo,headline,sizes\n${rows.join("\n")}\nd,logo.svg,Two,"${SIZE},iab-300x250"\n`,
    );
    const out = join(person.folder, "packs");
    const { code, json, stderr } = await person.run(["make", "--rows", table, "--out", out, "--dry-run"]);
    expect(code, stderr).toBe(2);
    const byName = Object.fromEntries(json.map(({ name, ...row }) => [name, row]));
    expect([byName.a.credits, byName.b.credits].sort()).toEqual([0, 1]);
    expect(byName.d).toEqual({ line: 5, status: "quoted", credits: 2, error: null });
    expect(byName.c).toMatchObject({ line: 4, status: "failed", error: expect.stringContaining("headline") });
    expect(stderr).toContain("3 of 4 packs cost 3 credits");
    expect(await person.credits()).toBe(10);
    expect(await all(person.client.jobs.list())).toEqual([]);
    await expect(readdir(out)).rejects.toThrow("ENOENT");
  });

  it("--verbose prints a line per request with its id, and no key", async () => {
    const person = await personWith(3);
    const { stderr, json } = await person.run(["balance", "--verbose"]);
    expect(stderr).toMatch(/^GET \/api\/v1\/balance: 200 after \d+ ms \([0-9a-f-]{36}\)\n$/);
    expect(json[0].credits.available).toBe(3);
    const debugged = await person.run([
      "make",
      "--logo",
      person.logo,
      "--sizes",
      SIZE,
      "--dry-run",
      "--debug",
    ]);
    expect(debugged.stderr).toContain("POST /api/v1/jobs/quote: sent\n");
    expect(debugged.stderr).not.toMatch(/cpk_|Bearer|token=/);
  });

  it("completes commands, options, choices and each of several sizes in bash", async () => {
    const script = join(root, "completion.bash");
    await writeFile(script, (await runCommand(main, ["completion", "bash"])).stdout);
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      const line = ["creative-packs", ...words].map((word) => `'${word}'`).join(" ");
      const program = `source '${script}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _creative_packs; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await run("bash", ["-c", program], root)).trim().split("\n");
    };
    expect(await complete("ba")).toEqual(["balance"]);
    expect(await complete("make", "--dr")).toEqual(["--dry-run"]);
    expect(await complete("make", "--look", "b")).toEqual(["bold"]);
    expect(await complete("make", "--sizes", `${SIZE},iab-728`)).toEqual([`${SIZE},iab-728x90`]);
    expect(await complete("sizes", "display.v1")).toEqual(["display.v1"]);
    expect(await complete("completion", "z")).toEqual(["zsh"]);
    const fish = (await runCommand(main, ["completion", "fish"])).stdout;
    expect(fish).toContain(
      "complete -c creative-packs -n '__fish_seen_subcommand_from make' -l look -x -a 'classic bold ",
    );
    const zsh = (await runCommand(main, ["completion", "zsh"])).stdout;
    expect(zsh).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n_creative_packs\(\)/);
  });

  it("listen posts each ended job like a webhook, retries, and exits with 0", async () => {
    const person = await personWith(10);
    const order = async (headline: string): Promise<string> => {
      const assetIds = {
        logo: (await person.client.assets.upload(LOGO, { slot: "logo", name: "a.svg" })).assetId,
      };
      const pack = await person.client.packs.create({
        ...{ contractId: "display.v1", selectedSizeIds: [SIZE], assetIds, copy: { headline } },
        overrides: { [SIZE]: { variant: 2 } },
      });
      return (await pack.wait({ pollMs: 50 })).id;
    };
    await order("Before");
    const received: ReceivedMessage[] = [];
    const statuses = [500, 302, 204];
    const receiver = await serve(async (request) => {
      received.push(await readMessage(request));
      return new Response(null, { status: statuses.shift() ?? 200 });
    });
    try {
      let secret = "";
      const ordered: string[] = [];
      const taken: string[] = [];
      const { code, stderr } = await person.run(["listen", "--forward-to", receiver.origin.slice(7)], {
        onLine: (line, interrupt) => {
          const { signingSecret, jobId, status } = JSON.parse(line);
          if (signingSecret !== undefined) {
            secret = signingSecret;
            void order("First").then(async (first) => ordered.push(first, await order("Second")));
          }
          if (status === 200 || status === 204) taken.push(jobId);
          if (taken.length === 2) interrupt();
        },
      });
      expect(code, stderr).toBe(0);
      expect([...taken].sort()).toEqual([...ordered].sort());
      const messages = received.map((message) => verifyMessage(secret, message));
      const ids = messages.map(({ body }) => `${body.data.job.jobId} ${body.data.deliveryId}`);
      expect(new Set(ids).size).toBe(2);
      expect(messages.filter(({ body }) => body.data.job.jobId === ordered[0]).length).toBeGreaterThanOrEqual(
        1,
      );
      expect(messages).toHaveLength(4);
      for (const { id, body } of messages) {
        const read = jobMessageSchema.parse(body);
        expect(read.type).toBe("job.succeeded");
        expect(read.data.deliveryId).toBe(id);
        expect(read.data.workspaceId).not.toMatch(/^0{8}-/);
        expect(body.data.job).toEqual(await person.client.jobs.get(read.data.job.jobId));
      }
    } finally {
      await receiver.close();
    }
    expect((await person.run(["listen", "--forward-to", "ftp://x"])).code).toBe(2);
    expect((await person.run(["listen", "--forward-to", "x", "--secret", "short"])).stderr).toContain(
      "whsec_",
    );
  });

  it("a failed row does not stop the others", async () => {
    const person = await personWith(10);
    const table = join(person.folder, "rows.csv");
    await writeFile(
      table,
      `name,logo,headline,sizes\nlong,logo.svg,${"x".repeat(400)},${SIZE}\ngood,logo.svg,Hello,${SIZE}\n`,
    );
    const { code, json } = await person.run(["make", "--rows", table, "--out", join(person.folder, "packs")]);
    expect(code).toBe(5);
    expect(json).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: "long",
          status: "failed",
          error: expect.stringContaining("headline"),
        }),
        expect.objectContaining({ name: "good", status: "made", paidCredits: 1 }),
      ]),
    );
    expect(await person.credits()).toBe(9);
  });

  it("each kind of failure has its exit code and a helpful message", async () => {
    const person = await personWith(0);
    const reader = await personWith(5, ["balance:read"]);
    const text = join(person.folder, "notes.txt");
    await writeFile(text, "not a picture");
    const failures: readonly (readonly [Promise<Ended>, number, string])[] = [
      [person.run(["nonsense"]), 2, "unknown command"],
      [person.run(["make", "--logo", join(person.folder, "none.svg")]), 2, "no such file"],
      [person.run(["make", "--logo", text, "--sizes", SIZE]), 2, "none of the types"],
      [person.run(["make", "--photo", "http://example.com/a.jpg"]), 2, "https"],
      [person.run(["make", "--motion", "fast"]), 2, "static, animated"],
      [reader.run(make(reader)), 3, "assets:"],
      [person.run(["balance"], { env: { CREATIVE_PACKS_API_KEY: "cpk_live_wrong" } }), 3, "INVALID"],
      [
        person.run(["balance"], { env: { CREATIVE_PACKS_API_KEY: "", CREATIVE_PACKS_BASE_URL: "" } }),
        2,
        "login",
      ],
      [person.run(make(person)), 4, "redits"],
      [person.run(["balance"], { env: { CREATIVE_PACKS_BASE_URL: "http://127.0.0.1:1" } }), 6, "connection"],
    ];
    for (const [ended, code, words] of failures) {
      const { code: found, stderr, stdout } = await ended;
      expect(stderr).toContain(words);
      expect(found, stderr).toBe(code);
      expect(stdout).toBe("");
    }
    const rich = await personWith(5);
    const blocked = await rich.run(["make", "--logo", rich.logo, "--sizes", SIZE, "--out", rich.logo]);
    expect(blocked.code, blocked.stderr).toBe(7);
  });

  it("login stores the key readable by its owner only, and sends it to no other service", async () => {
    const { service } = world();
    const { key } = await seedWorkspace(service, { credits: 3 });
    const settings = await mkdtemp(join(root, "settings-"));
    const env = { XDG_CONFIG_HOME: settings, APPDATA: settings, HOME: settings };
    const run = (parameters: readonly string[], stdin = ""): Promise<Ended> =>
      runCommand(main, ["--json", ...parameters], { env, stdin });
    const wrong = await run(["login", "--url", service.origin], "cpk_live_wrong\n");
    expect(wrong.code).toBe(3);
    const right = await run(["login", "--url", service.origin], `${key}\n`);
    expect(right.code, right.stderr).toBe(0);
    expect(right.stdout + right.stderr).not.toContain(key);
    const { path } = right.json[0];
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await run(["balance"])).json[0].credits.available).toBe(3);
    const elsewhere = await run(["balance", "--url", "http://127.0.0.1:1"]);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain("no API key for");
    await chmod(path, 0o644);
    expect((await run(["balance"])).stderr).toContain("others may read it");
    await run(["logout"]);
    expect((await run(["balance"])).code).toBe(2);
  });

  it("preview, dry run, sizes, jobs, download and ZIP return their results", async () => {
    const person = await personWith(10);
    const picture = join(person.folder, "preview.png");
    const fields = ["--logo", person.logo, "--headline", "All doors", "--sizes", SIZE];
    expect((await person.run(["preview", ...fields, "--out", picture])).code).toBe(0);
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe("PNG");
    const dry = await person.run(["make", ...fields, "--dry-run"]);
    expect(dry.json[0]).toMatchObject({ expectedCost: { amount: 1 } });
    expect(await person.credits()).toBe(10);
    const made = await person.run(["make", ...fields, "--out", join(person.folder, "a")]);
    const { jobId } = made.json[0];
    expect((await person.run(["jobs"])).json).toEqual([expect.objectContaining({ jobId })]);
    expect((await person.run(["sizes", "display.v1"])).json[0].sizes.length).toBeGreaterThan(30);
    const folder = join(person.folder, "b");
    await person.run(["download", jobId, "--out", folder]);
    await person.run(["download", jobId, "--zip", "--out", folder]);
    const zip = expect.stringMatching(/^all-doors-\d{4}-\d\d-\d\d\.zip$/);
    expect((await readdir(folder)).sort()).toEqual([zip, `${SIZE}.png`, "manifest.json"]);
    expect(await readFile(join(folder, `${SIZE}.png`))).toEqual(
      await readFile(join(person.folder, "a", `${SIZE}.png`)),
    );
  });
};
