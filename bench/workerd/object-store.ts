import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a worker fetches files and leaves what it made, in this process: nothing of it counts as the worker's. */
export interface ObjectStore {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves `files` by name. What is put is read and forgotten. */
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
