import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LOOPBACK_VARS } from "../../scripts/local/worker.ts";
import { playPurchase } from "../../scripts/run/demo/buy.ts";
import { startEmulators } from "../../scripts/run/emulators/start-emulators.ts";
import { startService } from "./support/service.ts";

it("`npm run demo -- --buy` performs a customer's steps from sign-up to receipt, and charges once", async () => {
  const emulators = await startEmulators();
  const service = await startService({
    vars: LOOPBACK_VARS,
    varsAt: (origin) => {
      const { mail, stripe } = emulators.join(origin);
      return { ...mail, ...stripe };
    },
  });
  const output = await mkdtemp(join(tmpdir(), "creative-packs-demo-buy-"));
  const steps: string[] = [];
  try {
    await playPurchase(service.origin, emulators, output, (title, work) => {
      steps.push(title);
      return work();
    });
    await emulators.delivered();
  } finally {
    await service.stop();
    await emulators.stop();
  }
  expect(steps).toEqual([
    "Sign-up and sign-in",
    "Mail that confirms the address",
    "Address confirmed by its link",
    "Checkout of 100 credits",
    "Paid at the simulated Stripe",
    "Webhook received, credits granted",
    "A pack ordered and downloaded",
    "Mail with the receipt",
  ]);
  expect(await readdir(join(output, "bought"))).toContain("bought.zip");
  expect(emulators.book.all("charge").map(({ amount, paid }) => ({ amount, paid }))).toEqual([
    { amount: 900, paid: true },
  ]);
  await rm(output, { recursive: true });
});
