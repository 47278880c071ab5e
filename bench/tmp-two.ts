import { createPictures } from "./pictures/pictures.ts";
import { TEN_SIZE_IDS, WORDS } from "./pack-of-ten.ts";
import { drawJob } from "./workerd/jobs.ts";
import { openClient } from "./workerd/open-client.ts";
import { startService, type Service } from "./workerd/service.ts";
import { uploadAsset } from "./workerd/upload.ts";
import { readLogo } from "./cases/design.ts";
import { removeBundles } from "./workerd/bundle.ts";

const photo = await createPictures((s) => process.stderr.write(`${s}\n`)).open("12mp-jpeg");
const services: Service[] = [await startService(), await startService()];
const made = await Promise.all(services.map(async (service) => {
  const { secret } = await service.openWorkspace(100_000);
  const client = openClient(service.worker.origin, secret);
  const logo = await uploadAsset(client, "logo", await readLogo());
  const media = await uploadAsset(client, "media", photo.bytes);
  return { service, secret, client, logo, media };
}));
const [near, far] = made;
if (!near || !far) throw new Error();
let round = 0;
const pack = (m: typeof near, motion: "static" | "animated") => {
  round += 1;
  return motion === "static" ? drawJob(m.client, { contractId: "campaign.v1", selectedSizeIds: [...TEN_SIZE_IDS], outputFormat: "jpg", assetIds: { logo: m.logo, media: m.media }, copy: { ...WORDS, disclaimer: `Round ${round}` } })
  : drawJob(m.client, { contractId: "campaign.v1", motion: "animated", selectedSizeIds: ["meta-story-1080x1920"], outputFormat: "webp", assetIds: { logo: m.logo, media: m.media }, copy: { ...WORDS, disclaimer: `Round ${round}` } } as never);
};
const order = (m: typeof near) => fetch(`${m.service.worker.origin}/api/v1/jobs`, { method: "POST", headers: { Authorization: `Bearer ${m.secret}`, "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() }, body: JSON.stringify({ contractId: "campaign.v1", selectedSizeIds: ["iab-320x50"], outputFormat: "jpg", assetIds: { logo: m.logo, media: m.media }, copy: { ...WORDS, disclaimer: `Order ${round} ${Math.random()}` } }) });
const balance = () => fetch(`${near.service.worker.origin}/api/v1/balance`, { headers: { Authorization: `Bearer ${near.secret}` } });
async function sample(ask: () => Promise<Response>, ms: number, until: Promise<unknown> | null): Promise<number[]> {
  const taken: number[] = []; let isOver = false; const end = performance.now() + ms;
  until?.then(() => { isOver = true; });
  while (!isOver && performance.now() < end) { const s = performance.now(); const r = await ask(); await r.arrayBuffer(); if (!r.ok) throw new Error(String(r.status)); taken.push(performance.now() - s); await new Promise((r) => setTimeout(r, 20)); }
  return taken;
}
const show = (name: string, t: number[]) => { const s = t.toSorted((a, b) => a - b); const q = (p: number) => Math.round(s[Math.min(s.length - 1, Math.floor(p * s.length))] ?? 0); console.log(`${name.padEnd(60)} n ${String(s.length).padStart(4)} median ${q(0.5)} p95 ${q(0.95)} max ${q(1)}`); };
await pack(near, "static"); await pack(far, "static");
for (const [name, ask] of [["GET /balance", balance], ["POST /jobs", () => order(near)]] as const) {
  if (name === "GET /balance") show(`${name}, idle`, await sample(ask, 6_000, null));
  for (const motion of ["static", "animated"] as const) for (const [where, m] of [["one worker", near], ["two workers", far]] as const) {
    const all: number[] = [];
    for (let i = 0; i < (motion === "static" ? 4 : 2); i += 1) all.push(...await sample(ask, 60_000, pack(m, motion)));
    show(`${name} beside ${motion} renders, ${where}`, all);
  }
}
for (const s of services) await s.stop();
await removeBundles();
