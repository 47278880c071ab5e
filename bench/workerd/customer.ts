import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../scripts/local/failure.ts";
import { readLogo } from "../cases/design.ts";
import { openClient } from "./open-client.ts";
import type { Service as BenchService } from "./service.ts";
import { uploadAsset } from "./upload.ts";

/** A workspace with a logo, which asks for small jobs. */
export interface Customer {
  readonly secret: string;
  readonly logo: string;
}

/** More than any case spends. */
const CREDITS = 1_000_000;

const accepted = z.object({ data: z.object({ jobId: z.string() }) });

type Service = Pick<BenchService, "openWorkspace" | "worker">;

/** Opens a workspace on a shard, or in `DB` where none is named, and uploads its logo. */
export async function openCustomer(service: Service, shard?: number): Promise<Customer> {
  const { secret } = await service.openWorkspace(CREDITS, shard);
  const client = openClient(service.worker.origin, secret);
  return { secret, logo: await uploadAsset(client, "logo", await readLogo()) };
}

/** Asks for a job of some sizes of the logo, by one request; its id. The client library would try a refusal again. */
export async function createJob(
  { worker }: Pick<Service, "worker">,
  { secret, logo }: Customer,
  sizeIds: readonly string[],
): Promise<string> {
  const response = await fetch(`${worker.origin}/api/v1/jobs`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${secret}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({ contractId: "display.v1", selectedSizeIds: sizeIds, assetIds: { logo } }),
  });
  if (!response.ok) throw new Failure(`POST /jobs answered ${response.status}: ${await response.text()}`);
  return accepted.parse(await response.json()).data.jobId;
}
