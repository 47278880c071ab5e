/** The bundler takes the query for compiled WASM; some packages describe their bare `.wasm` as something else. */
declare module "*.wasm?module" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
