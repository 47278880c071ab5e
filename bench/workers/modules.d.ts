/** The bundler compiles WASM for this query. Some packages declare another type for imports of `.wasm` without it. */
declare module "*.wasm?module" {
  const compiled: WebAssembly.Module;
  export default compiled;
}
