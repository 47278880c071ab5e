import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newSigningSecret, signatureHeaders } from "#domains/deliveries/webhook/webhook-signature.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { codeOfGuide, GUIDES } from "../../scripts/make/site/guides.ts";
import { TYPESCRIPT_PREAMBLE, TYPESCRIPT_SAMPLES } from "../../scripts/make/site/typescript-samples.ts";

/**
 * Code in the guides is valid, except HTTP, TOML and CSV, which no test reads. The quickstarts run in
 * test/conformance/shown/guides.ts.
 */

interface Program {
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** Blocks with the same name form one program. Each block without a name is a separate program. */
function programsOf(path: string): readonly Program[] {
  const blocks = codeOfGuide(readFileSync(inRoot(path), "utf8"));
  const named = new Map<string, Program>();
  for (const [at, { language, run, code }] of blocks.entries()) {
    const name = `${path}: ${run ?? `block ${at + 1}`}`;
    named.set(name, { name, language, code: `${named.get(name)?.code ?? ""}${code}\n` });
  }
  return [...named.values()];
}

const PROGRAMS = GUIDES.flatMap(({ path }) => programsOf(path));
const inLanguage = (language: string) => PROGRAMS.filter((program) => program.language === language);
const programNamed = (name: string): string =>
  PROGRAMS.find((program) => program.name.endsWith(`: ${name}`))?.code ?? "";
const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

mkdirSync(inRoot(".cache"), { recursive: true });
const folder = mkdtempSync(inRoot(".cache/guide-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("every block names a language that this test checks or lists as an exception", () => {
  const unknown = PROGRAMS.filter(
    ({ language }) => !["sh", "python", "ts", "json", "http", "toml", "csv", "text"].includes(language),
  );
  expect(unknown).toEqual([]);
});

it("JSON parses", () => {
  for (const { name, code } of inLanguage("json")) expect(() => JSON.parse(code), name).not.toThrow();
});

it("shell has no syntax error", () => {
  for (const { name, code } of inLanguage("sh")) {
    expect(spawnSync("bash", ["-n"], { input: code }).stderr.toString(), name).toBe("");
  }
});

it.runIf(HAS_PYTHON)("Python has no syntax error, if Python is installed", () => {
  const sources = JSON.stringify(inLanguage("python").map(({ code }) => code));
  const check = "import ast, json, sys\nfor each in json.load(sys.stdin): ast.parse(each)";
  expect(spawnSync("python3", ["-c", check], { input: sources }).stderr.toString()).toBe("");
});

it("TypeScript compiles, in the guides and in the reference", () => {
  const shown = inLanguage("ts").map(({ code }) => code);
  const samples = Object.values(TYPESCRIPT_SAMPLES).map((sample) => `${TYPESCRIPT_PREAMBLE}\n${sample}\n`);
  for (const [at, code] of [...shown, ...samples].entries()) writeFileSync(join(folder, `${at}.ts`), code);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../sdk/tsconfig.json",
      compilerOptions: {
        noEmit: true,
        noUnusedLocals: false,
        moduleDetection: "force",
        rootDir: "../..",
        types: ["node"],
        paths: { "creative-packs": ["../../sdk/src/index.ts"] },
      },
      include: ["."],
    }),
  );
  const tsc = spawnSync(inRoot("node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  expect(tsc.stdout).toBe("");
});

const PAYLOAD = JSON.stringify({ type: "job.succeeded", data: { job: { jobId: "Grüße, 日本" } } });

/** A genuine, a forged and an old message, each with the expected decision of the receiver. */
async function messages() {
  const secret = newSigningSecret();
  const id = "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d";
  const signed = async (secrets: readonly string[], ageMs = 0) => ({
    ...(await signatureHeaders(secrets, id, Date.now() - ageMs, PAYLOAD)),
  });
  const cases = [
    { headers: await signed([secret]), isTaken: true },
    { headers: await signed([newSigningSecret(), secret]), isTaken: true },
    { headers: await signed([newSigningSecret()]), isTaken: false },
    { headers: await signed([secret], 6 * 60_000), isTaken: false },
  ];
  return { secret, cases };
}

const RECEIVERS = [
  {
    language: "TypeScript",
    program: process.execPath,
    parameters: ["--input-type=module-typescript", "-"],
    // Imports the library by path, because the program does not have the package installed.
    code: `${programNamed("webhook-typescript")
      .replace('"creative-packs"', '"./sdk/src/index.ts"')
      .replace("export default", "const worker =")}
for (const { body, headers, secret } of JSON.parse(process.env.MESSAGES ?? "[]")) {
  const request = new Request("https://receiver.example", { method: "POST", body, headers });
  const { status } = await worker.fetch(request, { SIGNING_SECRET: secret });
  if (status !== 204 && status !== 400) throw new Error(String(status));
  console.log(status === 204);
}`,
  },
  ...(HAS_PYTHON
    ? [
        {
          language: "Python",
          program: "python3",
          parameters: ["-"],
          code: `${programNamed("webhook-python")}
import os
for message in json.loads(os.environ["MESSAGES"]):
    try:
        read_message(message["body"].encode(), message["headers"], message["secret"])
        print("true")
    except ValueError:
        print("false")
`,
        },
      ]
    : []),
];

it.each(RECEIVERS)(
  "webhook verification in $language accepts our messages, and rejects forged and old ones",
  async (receiver) => {
    const { secret, cases } = await messages();
    const sent = cases.map(({ headers }) => ({ body: PAYLOAD, headers, secret }));
    const said = execFileSync(receiver.program, receiver.parameters, {
      cwd: inRoot("."),
      input: receiver.code,
      encoding: "utf8",
      env: { ...process.env, MESSAGES: JSON.stringify(sent) },
    });
    const verdicts = said.split("\n").filter((line) => line === "true" || line === "false");
    expect(verdicts).toEqual(cases.map(({ isTaken }) => String(isTaken)));
  },
);
