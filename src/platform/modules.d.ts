/** Files that the bundler includes: compiled WASM, fonts and weights (wrangler.toml, `rules`). */
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
/** Static files beside the worker, among them the font library. */
declare namespace Cloudflare {
  interface Env {
    readonly ASSETS?: Fetcher;
  }
}
