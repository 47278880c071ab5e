/** Arguments that keep a run of a script of package.json short, and the pattern of its final output. */
interface ShortForm {
  readonly parameters: readonly string[];
  readonly end: RegExp;
}

export const SHORT_FORMS: Readonly<Record<string, ShortForm>> = {
  bench: { parameters: ["--only", "start-up"], end: /\d missed$/m },
  demo: { parameters: [], end: /credits spent\.[\s\S]*Open demo-output/ },
  gallery: {
    parameters: ["--family", "brand", "--set", "cut-out", "--size", "iab-320x50"],
    end: /outputs in/,
  },
  shards: { parameters: ["rebalance", "--dry-run"], end: /./ },
  capacity: { parameters: ["--outputs-a-month", "1e5", "--json"], end: /"bill"/ },
};
