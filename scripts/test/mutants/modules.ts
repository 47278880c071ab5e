/** A module whose tests are measured. */
export interface MutatedModule {
  /** Its sources: a prefix of their paths. */
  readonly sources: string;
  /** Parts of the paths of its tests. */
  readonly tests: readonly string[];
}

/** The modules that `npm run test:mutants` measures: money, access, and what strangers can reach. */
export const MUTATED_MODULES: Readonly<Record<string, MutatedModule>> = {
  billing: {
    sources: "src/domains/billing/",
    tests: ["test/billing/", "billing-", "payment", "shard-events", "mail-notices", "reconcile", "top-up"],
  },
  shares: {
    sources: "src/domains/shares/",
    tests: ["/share", "mail-to-others", "mail-notices", "directory"],
  },
  keys: {
    sources: "src/domains/keys/",
    tests: [
      "api-key",
      "keys",
      "key-",
      "authentication",
      "access-scopes",
      "exact-guards",
      "shard-accounts",
      "suspended-workspace",
      "move-over-http",
    ],
  },
  imports: { sources: "src/domains/assets/import", tests: ["import", "asset-sweeps"] },
};
