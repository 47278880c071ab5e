/**
 * Loads a module at the first call. Caches the module, never a promise: a request canceled while it loads would block
 * all others.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | null = null;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
}
