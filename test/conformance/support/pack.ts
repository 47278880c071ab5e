import type { CreatePack } from "../../../sdk/src/index.ts";
import type { Answer } from "./client.ts";
import { createJob, type JobRequest, newKey, uploadLogo, uploadMedia } from "./flow.ts";
import type { MainHarness } from "./harness.ts";

/** Two sizes, so that a job costs 2 credits. */
export const SIZES = ["iab-300x250", "iab-728x90"];

/** Jobs of the rich workspace with its own logo and photo, uploaded at first use. */
export interface Pack {
  readonly assetIds: () => Promise<{ readonly logo: string; readonly media: string }>;
  /** A valid order. */
  readonly order: () => Promise<CreatePack>;
  /** A valid order with changes. */
  readonly request: (over?: object) => Promise<JobRequest>;
  /** Orders the pack; does not check the answer. */
  readonly create: (over?: object, idempotencyKey?: string) => Promise<Answer>;
}

export const packOf = (harness: MainHarness): Pack => {
  const { key } = harness.rich;
  let uploaded: ReturnType<Pack["assetIds"]> | null = null;
  const upload = async () => ({
    logo: await uploadLogo(harness.service, key),
    media: await uploadMedia(harness.service, key),
  });
  const assetIds: Pack["assetIds"] = () => {
    uploaded ??= upload();
    return uploaded;
  };
  const order = async () => ({
    contractId: "display.v1" as const,
    selectedSizeIds: SIZES,
    assetIds: { ...(await assetIds()) },
  });
  const request: Pack["request"] = async (over = {}) => ({ ...(await order()), ...over });
  return {
    assetIds,
    order,
    request,
    create: async (over, idempotencyKey = newKey()) =>
      createJob(harness.service, key, await request(over), idempotencyKey),
  };
};
