/**
 * One JSON object a line. Only these members may be logged: ids, codes, counts and times.
 * Keys, secrets, cookies, signed links, addresses of any kind, user agents and file names never enter here.
 */
export interface LogLine {
  readonly event: string;
  readonly requestId?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs?: number;
  readonly workspaceId?: string;
  readonly apiKeyId?: string;
  readonly accountId?: string;
  readonly jobId?: string;
  readonly artifactId?: string;
  readonly deliveryId?: string;
  readonly sizeId?: string;
  readonly attempt?: number;
  readonly count?: number;
  readonly byteLength?: number;
  /** Name of an error's class; its message may quote a caller or SQL and stays out. */
  readonly errorName?: string;
}

export const log = {
  line: (line: LogLine): void => console.log(JSON.stringify(line)),
  failure: (line: LogLine): void => console.error(JSON.stringify(line)),
};

/** The class name of whatever was thrown. */
export const errorNameOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.name : typeof thrown;
