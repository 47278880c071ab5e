import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

/**
 * A process that repeats one request over several connections; see task-process.ts. It does not use the client library,
 * so that only the service is measured.
 */

export interface LoadTask {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The expected status; any other status fails the measurement. */
  readonly status: number;
  readonly connections: number;
  readonly ms: number;
}

export interface LoadAnswer {
  readonly requests: number;
  readonly seconds: number;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request with a new Idempotency-Key, so that it is not a replay. */
function send({ url, method, headers, body, status }: LoadTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method, headers: { ...headers, "Idempotency-Key": randomUUID() } },
      (response) => {
        response.on("end", () =>
          response.statusCode === status
            ? resolve()
            : reject(new Error(`${method} ${new URL(url).pathname} answered ${response.statusCode}`)),
        );
        response.resume();
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

async function load(task: LoadTask): Promise<LoadAnswer> {
  const startedMs = performance.now();
  const endMs = startedMs + task.ms;
  let requests = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await send(task);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: task.connections }, connection));
  return { requests, seconds: (performance.now() - startedMs) / 1000 };
}

process.on("message", (task: LoadTask) => {
  load(task).then(
    (answer) => process.send?.(answer),
    (thrown: unknown) => process.send?.({ failure: String(thrown) }),
  );
});
