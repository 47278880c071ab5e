import type { ClientOptions } from "./options.ts";
import { PacksResource } from "./packs/packs.ts";
import { ApiKeysResource } from "./resources/api-keys.ts";
import { ArtifactsResource } from "./resources/artifacts.ts";
import { AssetsResource } from "./resources/assets.ts";
import { BrandsResource } from "./resources/brands.ts";
import { DeliveriesResource, DestinationsResource } from "./resources/destinations.ts";
import { ImagesResource } from "./resources/images.ts";
import { JobsResource, PreviewsResource } from "./resources/jobs.ts";
import { ContractsResource, ServiceResource } from "./resources/service.ts";
import { SharesResource } from "./resources/shares.ts";
import { UploadsResource } from "./resources/uploads.ts";
import { AuditResource, BalanceResource, UsageResource } from "./resources/usage.ts";
import { readSettings } from "./settings.ts";
import { Transport } from "./transport.ts";
import { webhooks } from "./webhooks.ts";

/**
 * Client of one workspace, authenticated by its API key. Use it on a server: a key in a web page is public.
 *
 * Temporary failures are retried with the same idempotency key, so nothing is created or paid twice. Calls throw
 * `ApiError` if the service returns an error, `ConnectionError` if no complete response arrives, and `AbortedError` if
 * the caller's signal aborts them.
 *
 * @example
 * ```ts
 * const client = new CreativePacks({ apiKey: "cpk_live_…", baseUrl: "https://packs.example" });
 * const { credits } = await client.balance.get();
 * ```
 */
export class CreativePacks {
  readonly audit: AuditResource;
  readonly balance: BalanceResource;
  readonly usage: UsageResource;
  readonly apiKeys: ApiKeysResource;
  readonly brands: BrandsResource;
  readonly images: ImagesResource;
  readonly contracts: ContractsResource;
  readonly assets: AssetsResource;
  readonly uploads: UploadsResource;
  readonly previews: PreviewsResource;
  readonly jobs: JobsResource;
  readonly artifacts: ArtifactsResource;
  readonly shares: SharesResource;
  readonly destinations: DestinationsResource;
  readonly deliveries: DeliveriesResource;
  readonly packs: PacksResource;
  readonly service: ServiceResource;
  readonly webhooks: typeof webhooks = webhooks;

  /** Throws a `CreativePacksError` if the key or the URL is missing or malformed. */
  constructor(options: ClientOptions = {}) {
    const transport = new Transport(readSettings(options));
    this.audit = new AuditResource(transport);
    this.balance = new BalanceResource(transport);
    this.usage = new UsageResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.brands = new BrandsResource(transport);
    this.images = new ImagesResource(transport);
    this.contracts = new ContractsResource(transport);
    this.uploads = new UploadsResource(transport);
    this.assets = new AssetsResource(transport, this.uploads);
    this.previews = new PreviewsResource(transport);
    this.jobs = new JobsResource(transport);
    this.artifacts = new ArtifactsResource(transport);
    this.shares = new SharesResource(transport);
    this.destinations = new DestinationsResource(transport);
    this.deliveries = new DeliveriesResource(transport);
    this.packs = new PacksResource({ jobs: this.jobs, artifacts: this.artifacts });
    this.service = new ServiceResource(transport);
  }
}
