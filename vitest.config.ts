import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { makeDocsAssets } from "./scripts/make-docs.ts";
import { readTrustScale } from "./scripts/trust/scale.ts";

// The worker is configured with a folder of assets; without it nothing starts.
await makeDocsAssets();

const isFullScale = process.env.TRUST_SCALE === "full";
/** What tests start of the worker is built once, and without wrangler's explorer, which would record all requests. */
const builtWorker = {
  globalSetup: ["test/support/build-worker.ts"],
  env: { X_LOCAL_EXPLORER: "false", X_LOCAL_OBSERVABILITY: "false" },
};

const provide = { trustScale: readTrustScale(process.env) };

/**
 * Two runtimes: `unit` runs pure code in Node, `integration` runs the worker in workerd with real bindings.
 * `conformance`, `sdk` and `trust` start the built worker and speak HTTP to it. All but `integration` share two workers: one a core
 * of the machine this is meant for. `integration` has one workerd for itself, which this would start afterwards; `npm
 * test` starts it beside the others (scripts/test/parallel-groups.ts).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/renderer/**/*.test.ts", "test/faces/**/*.test.ts"],
          environment: "node",
          // Codecs are compiled and made fast by running once, not once a file; a third of the CPU time.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
                KEY_PEPPER: "integration-tests-pepper-0123456789abcdef",
                DOWNLOAD_SIGNING_KEY: "integration-tests-signing-0123456789abcdef",
                TRIAL_SECRET: "integration-tests-trial-0123456789abcdef",
                AUTH_SECRET: "integration-tests-auth-0123456789abcdef",
                OAUTH_GITHUB_CLIENT_ID: "integration-tests-github",
                OAUTH_GITHUB_CLIENT_SECRET: "integration-tests-github-0123456789abcdef",
                DELIVERY_ENCRYPTION_KEY: btoa("integration-tests-encryption-012"),
              },
            },
          })),
        ],
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts", "test/fault/**/*.test.ts", "test/property/**/*.test.ts"],
          provide,
          setupFiles: ["apply-migrations", "restore-spies", "watch-logs"].map(
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
          include: ["test/conformance/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "sdk",
          include: ["test/sdk/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "deploy",
          include: ["test/deploy/**/*.test.ts"],
          environment: "node",
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: "trust",
          ...builtWorker,
          include: ["test/trust/**/*.test.ts", "test/corpus/**/*.test.ts", "test/logs/**/*.test.ts"],
          provide,
          environment: "node",
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
