import { expect, it } from "vitest";
import sdkPackage from "../../sdk/package.json" with { type: "json" };
import { OPERATIONS, type Operations } from "../../sdk/src/generated/operations.ts";
import { CreativePacks, VERSION } from "../../sdk/src/index.ts";

/** Every operation that a key can call has a method that calls it. */

const ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const ORDER = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: {} };
const BYTES = { contentType: "image/png", make: () => new Uint8Array(1) };

const CALLS: Readonly<Record<keyof Operations, (client: CreativePacks) => PromiseLike<unknown>>> = {
  claimTrialKey: ({ service }) => service.claimTrial(),
  createShare: ({ shares }) => shares.create(ID, { name: "First round" }),
  listShares: ({ shares }) => shares.list(ID),
  mailShare: ({ shares }) => shares.mail(ID, ID, { email: "grace@packs.example", language: "en" }),
  revokeShare: ({ shares }) => shares.revoke(ID, ID),
  listShareComments: ({ shares }) => shares.comments(ID, ID),
  updateShare: ({ shares }) => shares.update(ID, ID, { isClean: true }),
  replyToShare: ({ shares }) => shares.reply(ID, ID, { text: "Done." }),
  resolveShareComment: ({ shares }) => shares.resolve({ artifactId: ID, shareId: ID, commentId: ID }, true),
  getSharedLogo: ({ shares }) => shares.logo("3f9c.e.Z"),
  resolveOwnComment: ({ shares }) =>
    shares.resolveOwn("3f9c.e.Z", { commentId: ID, commentToken: "3f9c.e.Z" }, true),
  getSharedPack: ({ shares }) => shares.visit("3f9c.e.Z"),
  getSharedFile: ({ shares }) => shares.picture("3f9c.e.Z", ID),
  createShareComment: ({ shares }) => shares.comment("3f9c.e.Z", { name: "Grace", verdict: "approved" }),
  getService: ({ service }) => service.describe(),
  getHealth: ({ service }) => service.health(),
  listAudit: ({ audit }) => audit.list({ type: "key.created" }).firstPage(),
  getBalance: ({ balance }) => balance.get(),
  listUsage: ({ usage }) => usage.list().firstPage(),
  getUsageSummary: ({ usage }) => usage.summary({ groupBy: ["day", "key"] }),
  getStatement: ({ usage }) => usage.statement("2026-11"),
  listApiKeys: ({ apiKeys }) => apiKeys.list().firstPage(),
  createApiKey: ({ apiKeys }) => apiKeys.create({ name: "Build", scopes: [] }),
  revokeApiKey: ({ apiKeys }) => apiKeys.revoke(ID, { cascade: true }),
  listBrands: ({ brands }) => brands.list().firstPage(),
  getBrand: ({ brands }) => brands.get(ID),
  createBrand: ({ brands }) => brands.create({ name: "Velo" }),
  updateBrand: ({ brands }) => brands.update(ID, { look: null }),
  deleteBrand: ({ brands }) => brands.delete(ID),
  listDestinations: ({ destinations }) => destinations.list(),
  getDestination: ({ destinations }) => destinations.get(ID),
  saveDestination: ({ destinations }) =>
    destinations.save({ kind: "webhook", url: "https://hooks.example/packs" }),
  updateDestination: ({ destinations }) => destinations.update(ID, { events: ["job.failed"] }),
  removeDestination: ({ destinations }) => destinations.remove(ID),
  enableDestination: ({ destinations }) => destinations.enable(ID),
  testDestination: ({ destinations }) => destinations.test(ID),
  rotateSigningSecret: ({ destinations }) => destinations.rotateSecret(ID),
  sendArtifact: ({ deliveries }) => deliveries.send(ID, { destinationId: ID }),
  listDeliveries: ({ deliveries }) => deliveries.list({ status: "dead" }).firstPage(),
  getDelivery: ({ deliveries }) => deliveries.get(ID),
  retryDelivery: ({ deliveries }) => deliveries.retry(ID),
  createImageUrl: ({ images }) => images.createUrl({ sizeId: "iab-320x50", parameters: { logo: ID } }),
  createImageSecret: ({ images }) => images.createSecret({ name: "Shop" }),
  listImageSecrets: ({ images }) => images.listSecrets(),
  revokeImageSecret: ({ images }) => images.revokeSecret(ID),
  getImage: ({ images }) => images.load(`https://elsewhere.example/i/${ID}/${ID}?key=${ID}&headline=Hi`),
  listContracts: ({ contracts }) => contracts.list().firstPage(),
  getContract: ({ contracts }) => contracts.get("display.v1"),
  listAssets: ({ assets }) => assets.list({ slotId: "logo" }).firstPage(),
  getAsset: ({ assets }) => assets.get(ID),
  getAssetContent: ({ assets }) => assets.content(ID),
  deleteAsset: ({ assets }) => assets.delete(ID),
  importAsset: ({ assets }) => assets.import({ slotId: "logo", url: "https://images.example/a.svg" }),
  createUpload: ({ uploads }) =>
    uploads.create({ slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: 9 }),
  putUploadObject: ({ uploads }) => uploads.putObject(ID, BYTES),
  proxyUploadObject: ({ uploads }) => uploads.proxyObject(ID, BYTES),
  completeUpload: ({ uploads }) => uploads.complete(ID, { assetId: ID, byteLength: 9 }),
  getPreviewQuota: ({ previews }) => previews.quota(),
  createPreview: ({ previews }) => previews.create(ORDER),
  listJobs: ({ jobs }) => jobs.list().firstPage(),
  createJob: ({ jobs }) => jobs.create(ORDER),
  quoteJob: ({ jobs }) => jobs.quote(ORDER),
  getJob: ({ jobs }) => jobs.get(ID),
  updateJob: ({ jobs }) => jobs.update(ID, { name: "Spring sale" }),
  cancelJob: ({ jobs }) => jobs.cancel(ID),
  listArtifacts: ({ artifacts }) => artifacts.list({ search: "two" }).firstPage(),
  getArtifact: ({ artifacts }) => artifacts.get(ID),
  getArtifactDownload: ({ artifacts }) => artifacts.getDownload(ID),
  downloadArtifactFile: ({ artifacts }) => artifacts.downloadFile(ID, ID),
  downloadLink: ({ artifacts }) =>
    artifacts.downloadLink("https://elsewhere.example/api/v1/downloads/3f9c.e.Z"),
};

it.each(Object.entries(OPERATIONS))("%s", async (id, { method, path, takesIdempotencyKey }) => {
  const sent: string[] = [];
  const client = new CreativePacks({
    apiKey: "cpk_live_test",
    baseUrl: "https://packs.example/behind",
    fetch: async (url, init) => {
      const { origin, pathname } = new URL(url);
      const headers = new Headers(init.headers);
      sent.push(`${init.method} ${origin}${pathname}`);
      expect(headers.has("Idempotency-Key")).toBe(takesIdempotencyKey ?? false);
      // Links grant access by their token, so no key is sent.
      expect(headers.has("Authorization")).toBe(!/\{(?:token|signature)\}/.test(path));
      return Response.json({ ok: true, data: { items: [], nextBefore: null }, meta: {} });
    },
  });
  await Object.entries(CALLS).find(([name]) => name === id)?.[1](client);
  const filled = path
    .replace("{contractId}", "display.v1")
    .replace("{token}", "3f9c.e.Z")
    .replace(/\{\w+\}/g, ID);
  expect(sent).toEqual([`${method} https://packs.example/behind${filled}`]);
});

it("the exported version is that of package.json", () => {
  expect(VERSION).toBe(sdkPackage.version);
});
