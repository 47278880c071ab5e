/** What an agent is told before it sees the tools. */
export const INSTRUCTIONS = [
  "Makes packs of ad images: one photo, logo and some words become the image files that ad networks take.",
  "In this order: list_contracts, list_sizes, import_asset for each picture (or list_assets for those that are there),",
  "preview_pack to look for free, create_pack to pay, get_pack until it has succeeded.",
  "create_pack charges credits: say the cost to the person first, and keep its idempotencyKey for repetitions.",
  "An error names a code, what is wrong and what to do next.",
].join(" ");
