import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";

/** The Content-Security-Policy under which a banner must work. */
const POLICY = "default-src 'self' 'unsafe-inline'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

export type Files = Readonly<Record<string, Uint8Array>>;

/** Serves unpacked banners on loopback, as an ad server does, and landing pages under `/landed/`. */
export interface BannerServer {
  readonly origin: string;
  /** Serves files under `/name/`. Returns a list to which each requested path is added. */
  add(name: string, files: Files): readonly string[];
  close(): void;
}

export async function startBannerServer(): Promise<BannerServer> {
  const banners = new Map<string, { readonly files: Files; readonly asked: string[] }>();
  const server = createServer((request, response) => {
    const [, name = "", file = ""] = (request.url ?? "").split("/").map(decodeURIComponent);
    if (name === "landed") {
      response.writeHead(200, { "content-type": "text/plain" }).end("landed");
      return;
    }
    const banner = banners.get(name);
    banner?.asked.push(file);
    const bytes = banner?.files[file];
    response.writeHead(bytes === undefined ? 404 : 200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
    });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    add: (name, files) => {
      const asked: string[] = [];
      banners.set(name, { files, asked });
      return asked;
    },
    close: () => void server.close(),
  };
}
