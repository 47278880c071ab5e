/** Files that the bundler carries along: compiled WASM; fonts and weights as bytes (wrangler.toml, `rules`). */
declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}
declare module "*.weights" {
  const bytes: ArrayBuffer;
  export default bytes;
}
/** The static files beside the worker, which the platform module hands out: the font library is read from them. */
declare namespace Cloudflare {
  interface Env {
    readonly ASSETS?: Fetcher;
  }
}
