import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { SDK_SOURCES } from "./scripts/local/paths.ts";
import { makeAssets } from "./scripts/make/assets.ts";
import { mutantPlugin } from "./scripts/test/mutants/mutate-source.ts";
import { readStressScale } from "./scripts/test/stress/scale.ts";

// The worker does not start without its folder of static files.
await makeAssets();

const isFullScale = process.env.STRESS_SCALE === "full";
/** Builds the worker once per run. Disables wrangler's local explorer, which would record all requests. */
const builtWorker = {
  globalSetup: ["test/support/build-worker.ts"],
  env: { X_LOCAL_EXPLORER: "false", X_LOCAL_OBSERVABILITY: "false" },
};

/** Tests to run: `short` for `npm test`, `long` for `npm run test:long`, all if unset. See scripts/test/parts.ts. */
const testPart = process.env.TEST_PART;
const LONG = "**/*.long.test.ts";
const provide = { stressScale: readStressScale(process.env) };

/** Tests whose counts apply to a worker with one database. Excluded if it has shards. */
const OF_ONE_DATABASE = ["fair-queue", "pack-costs", "pack-figures", "round-trips*", "sweep-requests"].map(
  (name) => `test/fault/${name}{,.long}.test.ts`,
);
const withMoreDatabases = provide.stressScale.shards > 0 ? OF_ONE_DATABASE : [];

const filesOf = (...folders: readonly string[]) => ({
  include: folders.map((folder) => `test/${folder}/${testPart === "long" ? LONG : "**/*.test.ts"}`),
  exclude: [...(testPart === "short" ? [LONG] : []), ...withMoreDatabases],
});

/**
 * Bindings of four shards, as `TEST_SHARD_…`, which the worker ignores; tests of shards pass them to the worker
 * (test/support/shards.ts). The first `bound` shards are also bound as `DB_…`, so that every test has them.
 */
const shardBindings = (bound: number): Record<string, string> =>
  Object.fromEntries(
    ["00", "01", "02", "03"].flatMap((shard, at) => [
      [`TEST_SHARD_${shard}`, `shard-${shard}`],
      ...(at < bound ? [[`DB_${shard}`, `shard-${shard}`]] : []),
    ]),
  );

/** Omits mediabunny's Node.js file, as its package.json does for browsers; the import would have no name. */
const withoutNodeFiles: Plugin = {
  name: "without-node-files",
  enforce: "pre",
  resolveId: (id, importer = "") =>
    id === "./node.js" && importer.includes("/mediabunny/") ? "\0no-node-files" : undefined,
  load: (id) => (id === "\0no-node-files" ? "export {};" : undefined),
};

/**
 * `unit` runs pure code in Node. `integration` runs the worker in workerd with real bindings. `conformance`, `sdk` and
 * `stress` send HTTP requests to the built worker; `studio` opens it in a browser.
 *
 * All projects except `integration`, `studio` and `motion` share three Vitest workers: one more than the two cores,
 * because many of these tests wait for a queue or a process. `studio` runs after them, one file at a time.
 * `integration` has a single workerd. Vitest would start it after the others; `npm test` runs it in parallel
 * (scripts/test/parts.ts).
 */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [...mutantPlugin(process.env)],
        resolve: { alias: SDK_SOURCES },
        test: {
          name: "unit",
          ...filesOf("unit", "renderer", "faces", "subjects"),
          environment: "node",
          // Compiles and warms up the codecs once instead of per file. Saves a third of the CPU time.
          isolate: false,
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              d1Databases: shardBindings(provide.stressScale.shards),
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
                KEY_PEPPER: "integration-tests-pepper-0123456789abcdef",
                KEY_CHECK_SECRET: "integration-tests-check-0123456789abcdef",
                DOWNLOAD_SIGNING_KEY: "integration-tests-signing-0123456789abcdef",
                TRIAL_SECRET: "integration-tests-trial-0123456789abcdef",
                AUTH_SECRET: "integration-tests-auth-0123456789abcdef",
                OAUTH_GITHUB_CLIENT_ID: "integration-tests-github",
                OAUTH_GITHUB_CLIENT_SECRET: "integration-tests-github-0123456789abcdef",
                DELIVERY_ENCRYPTION_KEY: btoa("integration-tests-encryption-012"),
              },
            },
          })),
          withoutNodeFiles,
          ...mutantPlugin(process.env),
        ],
        test: {
          name: "integration",
          ...filesOf("integration", "fault", "property", "billing", "shards"),
          provide,
          setupFiles: ["load-worker", "apply-migrations", "restore-spies", "watch-logs", "count-moves"].map(
            (name) => `test/support/${name}.ts`,
          ),
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: isFullScale ? 1_800_000 : 60_000,
        },
      },
      {
        test: {
          name: "conformance",
          ...builtWorker,
          ...filesOf("conformance"),
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // On a busy machine, mail sent after the response takes longer than the default of one second.
          expect: { poll: { timeout: 60_000 } },
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: "sdk",
          ...filesOf("sdk"),
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: "studio",
          ...builtWorker,
          ...filesOf("studio"),
          environment: "node",
          // Files share a worker and a browser (test/studio/support/shared-studio.ts).
          isolate: false,
          // Longer than the browser's own limit (test/studio/support/studio.ts), whose error names the missing element.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
          // The browser and two of its web workers keep the cores busy in each file.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve: { alias: SDK_SOURCES },
        test: {
          name: "motion",
          ...filesOf("motion"),
          environment: "node",
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "deploy",
          ...filesOf("deploy"),
          environment: "node",
          testTimeout: 300_000,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: "stress",
          ...builtWorker,
          ...filesOf("stress", "corpus", "logs"),
          provide,
          environment: "node",
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
        },
      },
    ],
  },
});
