import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer {
  /** Such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers,
    ...(hasBody ? { body } : {}),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}

/** Serves on a free loopback port. A body without Content-Length is rejected, as by S3. */
export async function serve(handle: (request: Request) => Promise<Response>): Promise<LocalServer> {
  const server = createServer((incoming, outgoing) => {
    const isChunked = incoming.headers["transfer-encoding"] !== undefined;
    const answer = isChunked
      ? Promise.resolve(new Response("<Error><Code>MissingContentLength</Code></Error>", { status: 411 }))
      : toRequest(incoming).then(handle);
    answer
      .catch(() => new Response(null, { status: 500 }))
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
