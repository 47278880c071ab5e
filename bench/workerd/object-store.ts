import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Storage for workers. It runs in this process, so that it does not count as part of the worker. */
export interface ObjectStore {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves `files` by name. Uploaded bytes are read and discarded. */
export async function startObjectStore(files: Readonly<Record<string, Uint8Array>>): Promise<ObjectStore> {
  const server = createServer((request, response) => {
    if (request.method === "PUT") {
      request.resume().on("end", () => response.writeHead(204).end());
      return;
    }
    const bytes = files[request.url?.slice(1) ?? ""];
    if (bytes === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-length": bytes.byteLength }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
