import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { SDK_SOURCES } from "./scripts/local/paths.ts";
import { makeAssets } from "./scripts/make/assets.ts";
import { mutantPlugin } from "./scripts/test/mutants/mutate-source.ts";
import { readStressScale } from "./scripts/test/stress/scale.ts";

// The worker is configured with a folder of assets; without it nothing starts.
await makeAssets();

const isFullScale = process.env.STRESS_SCALE === "full";
/** What tests start of the worker is built once, and without wrangler's explorer, which would record all requests. */
const builtWorker = {
  globalSetup: ["test/support/build-worker.ts"],
  env: { X_LOCAL_EXPLORER: "false", X_LOCAL_OBSERVABILITY: "false" },
};

/** Which files a run is for: those of `npm test`, those of `npm run test:long`, or all. See scripts/test/parts.ts. */
const testPart = process.env.TEST_PART;
const LONG = "**/*.long.test.ts";
const provide = { stressScale: readStressScale(process.env) };

/** What is counted of a worker with one database: left out where it has more. */
const OF_ONE_DATABASE = ["fair-queue", "pack-costs", "pack-figures", "round-trips*", "sweep-requests"].map(
  (name) => `test/fault/${name}{,.long}.test.ts`,
);
const withMoreDatabases = provide.stressScale.shards > 0 ? OF_ONE_DATABASE : [];

const filesOf = (...folders: readonly string[]) => ({
  include: folders.map((folder) => `test/${folder}/${testPart === "long" ? LONG : "**/*.test.ts"}`),
  exclude: [...(testPart === "short" ? [LONG] : []), ...withMoreDatabases],
});

/**
 * Four databases for workspaces. They have names that the worker does not have: tests that are of shards give them to it
 * (test/support/shards.ts). With SHARDS the worker has that many of them as its own, in every test.
 */
const shardBindings = (bound: number): Record<string, string> =>
  Object.fromEntries(
    ["00", "01", "02", "03"].flatMap((shard, at) => [
      [`TEST_SHARD_${shard}`, `shard-${shard}`],
      ...(at < bound ? [[`DB_${shard}`, `shard-${shard}`]] : []),
    ]),
  );

/** Leaves out what mediabunny leaves out in browsers: the runtime would be asked for a module without a name in its place. */
const withoutNodeFiles: Plugin = {
  name: "without-node-files",
  enforce: "pre",
  resolveId: (id, importer = "") =>
    id === "./node.js" && importer.includes("/mediabunny/") ? "\0no-node-files" : undefined,
  load: (id) => (id === "\0no-node-files" ? "export {};" : undefined),
};

/**
 * Two runtimes: `unit` runs pure code in Node, `integration` runs the worker in workerd with real bindings.
 * `conformance`, `sdk` and `stress` start the built worker and speak HTTP to it, `studio` visits it in a browser. All but
 * `integration` and `studio` share three workers: one more than the machine this is meant for has cores, because many of their
 * tests wait for a queue or a process. `studio` comes after them, a file at a time. `integration` has one workerd for itself,
 * which this would start afterwards; `npm test` starts it beside the others (scripts/test/parts.ts).
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
          // Codecs are compiled and made fast by running once, not once a file; a third of the CPU time.
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
          // A second, which is what stands otherwise, is too short for mail that is sent after the answer on a busy machine.
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
          // Longer than the browser waits for one thing (test/studio/support/studio.ts), which then says what did not come.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
          // A browser and two of its workers are busy in each.
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
