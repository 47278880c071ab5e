import { createServer, request } from "node:http";

/** A proxy that forwards requests, which take effect, but drops responses. */
export interface DroppingProxy {
  readonly origin: string;
  readonly droppedAnswers: () => number;
  readonly stop: () => Promise<void>;
}

/** Drops the first `drops` responses to requests with this method and path. */
export async function startDroppingProxy(
  target: string,
  method: string,
  path: string,
  drops: number,
): Promise<DroppingProxy> {
  let dropped = 0;
  const server = createServer((incoming, outgoing) => {
    const forwarded = request(
      new URL(incoming.url ?? "/", target).href,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        if (incoming.method === method && incoming.url === path && dropped < drops) {
          dropped += 1;
          answer.resume().on("end", () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const { port } = address;
  return {
    origin: `http://127.0.0.1:${port}`,
    droppedAnswers: () => dropped,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
