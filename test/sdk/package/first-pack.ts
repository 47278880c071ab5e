import { LOGO } from "../support/world.ts";

/** A first program for any platform. It expects the client's options in a variable `options`. */
export const FIRST_PACK = `
  const client = new CreativePacks(options);
  const svg = new Blob([${JSON.stringify(new TextDecoder().decode(LOGO))}]);
  const logo = await client.assets.upload(svg, { slot: "logo", name: "logo.svg" });
  const pack = await client.packs.create({
    contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo: logo.assetId },
  });
  await pack.wait({ pollMs: 50 });
  const names = [];
  await pack.download((name) => { names.push(name); });
  const refused = await client.assets.upload("logo.svg", { slot: "logo" }).catch((error) => error.name);
  const result = { status: pack.status, names, refused, left: (await client.balance.get()).credits.available };`;

/** The program's result. */
export const MADE = { status: "succeeded", names: ["iab-320x50.png", "manifest.json"], left: 2 };
