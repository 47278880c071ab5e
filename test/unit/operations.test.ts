import { globSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SECRET_NAMES } from "../../scripts/local/secrets.ts";
import { readInvocation as readShardsInvocation } from "../../scripts/operate/shards/command-line.ts";
import { readInvocation } from "../../scripts/operate/workspace/command-line.ts";

/** The runbook's queries run in operations-queries.test.ts. */

let runbook: string;
let sources: string;

beforeAll(async () => {
  runbook = await readFile("docs/operations.md", "utf8");
  const files = (await readdir("src", { recursive: true })).filter((path) => path.endsWith(".ts"));
  const texts = await Promise.all(files.map((path) => readFile(join("src", path), "utf8")));
  // The events of leased work are named after its rows.
  const works = namesIn(texts.join("\n"), /leasedRows\(\{\s*name: "(\w+)"/g);
  expect(works).toHaveLength(3);
  const named = texts.flatMap((text) =>
    /\$\{(work\.rows\.)?name\}_/.test(text) ? works.map((work) => namedFor(work, text)) : text,
  );
  sources = named.join("\n");
});

const namedFor = (work: string, text: string): string =>
  text.replaceAll(/\$\{(?:work\.rows\.)?name\}/g, work).replaceAll(/`(\w+)`/g, '"$1"');

const namesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? "")),
];

describe("events", () => {
  /** The first column of the table of alerts. */
  const alerted = () =>
    runbook
      .slice(runbook.indexOf("## Alerts"), runbook.indexOf("## When drawing is broken"))
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split("|")[1] ?? "");

  it("with an alert are logged in the code", () => {
    const events = alerted().flatMap((cell) => namesIn(cell, /`([a-z]+(?:_[a-z]+)+)`/g));
    expect(events.length).toBeGreaterThan(15);
    for (const event of events) {
      const isWritten = sources.includes(`"${event}"`);
      // In a family of events, the last word of the name depends on the outcome.
      const family = `event: \`${event.slice(0, event.lastIndexOf("_") + 1)}`;
      expect(isWritten || sources.includes(family), event).toBe(true);
    }
  });

  it("for thrown errors have the reason and frames, not only the class", () => {
    expect(sources.match(/errorName: errorNameOf/g)).toHaveLength(1);
  });

  it("for failures are all in the runbook", () => {
    const failures = [
      ...namesIn(sources, /log\.failure\(\{\s*event: "([a-z_]+)"/g),
      // Events of a message consumer: `events: { failed: "…", … }`.
      ...namesIn(sources, /\bevents: \{([^}]*)\}/g).flatMap((events) => namesIn(events, /"([a-z_]+)"/g)),
    ];
    expect(failures.length).toBeGreaterThan(15);
    expect(failures.filter((event) => !runbook.includes(`\`${event}\``))).toEqual([]);
  });
});

describe("commands", () => {
  const ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";

  it.each([
    ["workspace", 20, readInvocation],
    ["shards", 5, readShardsInvocation],
  ] as const)("of npm run %s parse as written in every document", (script, linesMin, read) => {
    const documents = ["README.md", ...globSync("docs/**/*.md")].map((path) => readFileSync(path, "utf8"));
    const lines = namesIn(documents.join("\n"), new RegExp(`^npm run ${script} -- ([^#\\n]+)`, "gm"));
    expect(lines.length).toBeGreaterThanOrEqual(linesMin);
    for (const line of lines) {
      const words = line
        .trim()
        .replaceAll(/<id>|<workspace>|\$WORKSPACE/g, ID)
        .replaceAll("<amount>", "5")
        .replaceAll("<reference>", "INV-1")
        .replaceAll('"', "")
        .split(/\s+/);
      if (words[0] !== "--help") expect(() => read(words), line).not.toThrow();
    }
  });

  it("reference configured queues and secrets", async () => {
    const configuration = await readFile("wrangler.toml", "utf8");
    const queues = [
      ...namesIn(runbook, /queues [a-z-]+ (creative-packs-[a-z-]*[a-z])/g),
      ...namesIn(runbook, /for queue in ([a-z -]+);/g).flatMap((names) =>
        names.split(" ").map((name) => `creative-packs-${name}`),
      ),
    ];
    expect(queues.length).toBeGreaterThan(3);
    // While a database is restored, every queue must be paused.
    const all = namesIn(configuration, /^queue = "creative-packs-([a-z-]+)"$/gm).toSorted();
    const loops = [...runbook.matchAll(/for queue in ([a-z -]+);/g)].map(([, names]) =>
      names?.split(" ").toSorted(),
    );
    expect(loops).toEqual([all, all]);
    for (const queue of queues) expect(configuration).toContain(`"${queue}"`);
    for (const name of SECRET_NAMES) expect(runbook, name).toContain(name);
  });
});
