import { createHash } from "node:crypto";
import type { DeliveryBody } from "#api/schemas/delivery.ts";
import { type Manifest, webhooks } from "../../../sdk/src/index.ts";
import { Failure } from "../../local/failure.ts";
import { requireTool, WRANGLER_ENVIRONMENT } from "../../local/tool.ts";
import type { LocalWorker } from "../../local/worker.ts";
import { S3Store } from "../receivers/s3-store.ts";
import { serve } from "../receivers/serve.ts";
import { formatBytes, type Step } from "./figures.ts";
import { makePack } from "./make-pack.ts";
import { openClient } from "./open-client.ts";
import { smallPack } from "./packs.ts";
import { type Person, signUpAndIn, until } from "./person.ts";

const CREDITS = 10;

const PACK = smallPack("delivered", "A pack that is sent out");

const STORE = {
  region: "eu-central-1",
  bucket: "demo-packs",
  accessKeyId: "DEMOKEY",
  secretAccessKey: "demo-secret-access-key",
};

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Local receivers. */
async function startReceivers() {
  const messages: { readonly headers: Headers; readonly text: string }[] = [];
  // Rejects the first message, to show a retry.
  let refusals = 1;
  const webhook = await serve(async (request) => {
    if (refusals > 0) {
      refusals -= 1;
      return new Response(null, { status: 503 });
    }
    messages.push({ headers: request.headers, text: await request.text() });
    return new Response(null, { status: 204 });
  });
  const store = new S3Store(STORE);
  const storeServer = await serve((request) => store.handle(request));
  return {
    messages,
    store,
    webhookUrl: `${webhook.origin}/packs`,
    storeEndpoint: storeServer.origin,
    close: async () => {
      await webhook.close();
      await storeServer.close();
    },
  };
}

/** Polls a delivery until it ends. */
const ended = ({ ask, workspaceId }: Person, deliveryId: string): Promise<DeliveryBody> =>
  until("The delivery", async () => {
    const path = `/api/account/workspaces/${workspaceId}/deliveries/${deliveryId}`;
    const delivery = await ask<DeliveryBody>("GET", path);
    if (delivery.status === "dead") throw new Failure(`The delivery died: ${delivery.failure?.message}`);
    return delivery.status === "succeeded" ? delivery : null;
  });

/** Checks that the store has every file of the manifest with its checksum, and the manifest. */
function checkStore(store: S3Store, artifact: Manifest): number {
  let bytes = 0;
  for (const { fileName, checksum } of artifact.files) {
    const object = store.objects.get(`demo/${artifact.artifactId}/${fileName}`);
    if (object === undefined || sha256(object.bytes) !== checksum.value) {
      throw new Failure(`${fileName} does not lie in the store as the manifest says.`);
    }
    bytes += object.bytes.byteLength;
  }
  const manifest = store.objects.get(`demo/${artifact.artifactId}/manifest.json`);
  if (manifest === undefined) throw new Failure("The store has no manifest.json.");
  return bytes;
}

/** Signs a person up, makes a pack with their key, and sends it to a local webhook and store. */
export async function playDelivery(
  worker: LocalWorker,
  stateFolder: string,
  outputFolder: string,
  step: Step,
): Promise<void> {
  const receivers = await startReceivers();
  try {
    const person = await step("Sign-up and sign-in", () => signUpAndIn(worker.origin));
    const inWorkspace = `/api/account/workspaces/${person.workspaceId}`;
    await step("Ten credits from the operator", () =>
      requireTool(
        "Granting credits",
        "node",
        [
          "scripts/operate/workspace.ts",
          "grant",
          "--workspace",
          person.workspaceId,
          "--credits",
          String(CREDITS),
          "--persist-to",
          stateFolder,
          "--json",
        ],
        WRANGLER_ENVIRONMENT,
      ),
    );
    const secret = await step("An API key from the session", person.newKey);
    const { signingSecret } = await step("A webhook for succeeded jobs", () =>
      person.ask<{ signingSecret: string }>("POST", `${inWorkspace}/destinations`, {
        kind: "webhook",
        url: receivers.webhookUrl,
        events: ["job.succeeded"],
      }),
    );
    const { artifact, job } = await makePack(openClient(worker.origin, secret), PACK, outputFolder);
    const sendTo = async (target: object) => {
      const path = `/api/account/artifacts/${artifact.artifactId}/destinations`;
      return ended(person, (await person.ask<DeliveryBody>("POST", path, target)).deliveryId);
    };
    const stored = await step("Delivery to a store", () =>
      sendTo({ kind: "s3", endpoint: receivers.storeEndpoint, prefix: "demo", ...STORE }),
    );
    const told = await step("Delivery to the webhook", () =>
      sendTo({ kind: "webhook", url: receivers.webhookUrl }),
    );
    const bytes = checkStore(receivers.store, artifact);
    const { items } = await person.ask<{ items: DeliveryBody[] }>("GET", `${inWorkspace}/deliveries`);
    for (const { deliveryId, eventType } of items)
      if (eventType !== "artifact.delivery") await ended(person, deliveryId);
    const verified = await Promise.all(
      receivers.messages.map(async ({ headers, text }) => ({
        id: headers.get("webhook-id"),
        message: await webhooks.unwrap(text, headers, signingSecret),
      })),
    );
    const isAboutJob = verified.some(
      ({ message }) => message.type === "job.succeeded" && message.data.job.jobId === job.jobId,
    );
    if (!isAboutJob || !verified.some(({ id }) => id === told.deliveryId)) {
      throw new Failure("A message is missing at the webhook.");
    }
    console.log(
      `\n  The store has ${stored.progress.completed} objects (${formatBytes(bytes)} of files), each with the manifest's checksum.` +
        `\n  The webhook refused the first message, then accepted ${verified.length}, each with a valid signature:`,
    );
    for (const { id, message } of verified) console.log(`    ${message.type.padEnd(18)} ${id}`);
  } finally {
    await receivers.close();
  }
}
