import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { makeDocsAssets } from "./scripts/make-docs.ts";

// The worker is configured with a folder of assets; without it nothing starts.
await makeDocsAssets();

/** Two runtimes: `unit` runs pure code in Node, `integration` runs the worker in workerd with real bindings. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/renderer/**/*.test.ts", "test/property/**/*.test.ts"],
          environment: "node",
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
              },
            },
          })),
        ],
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          setupFiles: ["test/support/apply-migrations.ts"],
          isolate: false,
          maxWorkers: 1,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
