/**
 * Calls of the package `creative-packs`, by the id of the operation. test/unit/guide-code.long.test.ts compiles them.
 */

const ASSET = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const BRAND = "0199f0c4-6a10-7f3e-9d2c-1b4a8e7f5c03";
const JOB = "0199f0c7-9e41-7b02-b1d7-0a4e8c6f5132";
const UPLOAD = "0199f0c5-1f3a-7d20-8c11-6e5d4c3b2a19";
const ARTIFACT = "0199f0c8-4d2e-7a13-9f60-1b2c3d4e5f60";
const DESTINATION = "0199f0d1-2b3c-7d4e-8f5a-6b7c8d9e0f1a";
const DELIVERY = "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d";
const FILE = "0199f0c8-5a6b-7c7d-8e9f-0a1b2c3d4e5f";

const PACK = `{
  contractId: "display.v1",
  selectedSizeIds: ["iab-300x250", "iab-728x90"],
  outputFormat: "png",
  assetIds: { media: "${ASSET}" },
  copy: { headline: "Two wheels, no excuses", cta: "Ride one today" },
}`;

/** First lines of every sample. */
export const TYPESCRIPT_PREAMBLE = `import { CreativePacks } from "creative-packs";

const client = new CreativePacks({ apiKey: process.env.KEY, baseUrl: "http://127.0.0.1:8787" });
`;

export const TYPESCRIPT_SAMPLES: Readonly<Record<string, string>> = {
  claimTrialKey: "const { apiKey, secret, credits } = await client.service.claimTrial();",
  createShare: `const { url } = await client.shares.create("${ARTIFACT}", { name: "First round" });`,
  listShares: `const { items } = await client.shares.list("${ARTIFACT}");
for (const share of items) console.log(share.name, share.status, share.verdict);`,
  getService: "const { livePreviews, oauthProviders } = await client.service.describe();",
  getHealth: "const health = await client.service.health();",
  getBalance: "const { accessType, credits, prices } = await client.balance.get();",
  listUsage: `for await (const event of client.usage.list()) {
  console.log(event.type, event.amount, event.jobId);
}`,
  listApiKeys: `for await (const key of client.apiKeys.list()) {
  console.log(key.name, key.status, key.lastUsedAt);
}`,
  createApiKey: `const { secret } = await client.apiKeys.create({
  name: "Campaign builder",
  scopes: ["jobs:read", "jobs:write"],
});`,
  revokeApiKey: `await client.apiKeys.revoke("${ASSET}", { cascade: true });`,
  listBrands: `for await (const brand of client.brands.list()) console.log(brand.brandId, brand.name);`,
  getBrand: `const brand = await client.brands.get("${BRAND}");`,
  createBrand: `const brand = await client.brands.create({
  name: "Velo",
  colors: { primaryColor: "#0b5fff" },
  assetIds: { logoOnLight: "${ASSET}" },
});`,
  updateBrand: `await client.brands.update("${BRAND}", { disclaimer: "While stocks last.", look: null });`,
  deleteBrand: `await client.brands.delete("${BRAND}");`,
  createImageUrl: `const { url } = await client.images.createUrl({
  sizeId: "iab-300x250",
  parameters: { media: "${ASSET}", headline: "Two wheels, no excuses" },
});`,
  createImageSecret: `const { secret } = await client.images.createSecret({ name: "Newsletter" });`,
  listImageSecrets: "const { items } = await client.images.listSecrets();",
  revokeImageSecret: `await client.images.revokeSecret("${ASSET}");`,
  getImage: `const bytes = await client.images.load("http://127.0.0.1:8787/i/mQ0Y9m/iab-300x250.png?key=0199f0");`,
  listContracts: `for await (const contract of client.contracts.list()) {
  console.log(contract.contractId, contract.title);
}`,
  getContract: `const contract = await client.contracts.get("display.v1");
for (const size of contract.sizes) console.log(size.sizeId, size.byteCap);`,
  listAudit: `for await (const event of client.audit.list({ type: "key.created" })) {
  console.log(event.createdAt, event.actor.name, event.subject.name);
}`,
  listDestinations: `const { items } = await client.destinations.list();`,
  getDestination: `const destination = await client.destinations.get("${DESTINATION}");`,
  saveDestination: `const { destination, signingSecret } = await client.destinations.save({
  kind: "webhook",
  url: "https://hooks.customer.example/packs",
  events: ["job.succeeded", "job.failed"],
});`,
  updateDestination: `await client.destinations.update("${DESTINATION}", { events: ["job.failed"] });`,
  removeDestination: `await client.destinations.remove("${DESTINATION}");`,
  enableDestination: `await client.destinations.enable("${DESTINATION}");`,
  testDestination: `const delivery = await client.destinations.test("${DESTINATION}");`,
  rotateSigningSecret: `const { signingSecret } = await client.destinations.rotateSecret("${DESTINATION}");`,
  sendArtifact: `const delivery = await client.deliveries.send("${ARTIFACT}", {
  destinationId: "${DESTINATION}",
});`,
  listDeliveries: `for await (const delivery of client.deliveries.list({ status: "dead" })) {
  console.log(delivery.deliveryId, delivery.failure?.message);
}`,
  getDelivery: `const delivery = await client.deliveries.get("${DELIVERY}");`,
  retryDelivery: `await client.deliveries.retry("${DELIVERY}");`,
  listAssets: `for await (const asset of client.assets.list({ slotId: "logo", status: "ready" })) {
  console.log(asset.assetId, asset.fileName);
}`,
  getAsset: `const asset = await client.assets.get("${ASSET}");`,
  getAssetContent: `const bytes = await client.assets.content("${ASSET}");`,
  deleteAsset: `await client.assets.delete("${ASSET}");`,
  createUpload: `const intent = await client.uploads.create({
  slotId: "media",
  fileName: "beach.jpg",
  mimeType: "image/jpeg",
  byteLength: 1_482_110,
  width: 2400,
  height: 1600,
});`,
  completeUpload: `const asset = await client.uploads.complete("${UPLOAD}", {
  assetId: "${ASSET}",
  byteLength: 1_482_110,
});`,
  getPreviewQuota: "const { product, burst } = await client.previews.quota();",
  createPreview: `const preview = await client.previews.create(${PACK});`,
  listJobs: `for await (const job of client.jobs.list({ status: "running" })) {
  console.log(job.jobId, job.progress.completed, "of", job.progress.total);
}`,
  createJob: `const job = await client.jobs.create(${PACK});`,
  getJob: `const job = await client.jobs.get("${JOB}");
console.log(job.status, job.progress);`,
  updateJob: `await client.jobs.update("${JOB}", { name: "Spring sale" });`,
  cancelJob: `const job = await client.jobs.cancel("${JOB}");`,
  listArtifacts: `for await (const pack of client.artifacts.list({ search: "two wheels" })) {
  console.log(pack.artifactId, pack.headline, pack.thumbnail?.fileId);
}`,
  getArtifact: `const { files } = await client.artifacts.get("${ARTIFACT}");
for (const file of files) console.log(file.fileName, file.compliance.verdict);`,
  getArtifactDownload: `const { url, expiresAt } = await client.artifacts.getDownload("${ARTIFACT}");`,
  downloadArtifactFile: `const bytes = await client.artifacts.downloadFile(
  "${ARTIFACT}",
  "${FILE}",
);`,
};
