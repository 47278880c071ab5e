/** Files that the bundler carries along: compiled WASM, and fonts as bytes (wrangler.toml, `rules`). */
declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}
