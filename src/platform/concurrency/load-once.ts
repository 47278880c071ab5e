/**
 * A module that is loaded at the first call. What stands is kept, never a promise: a request that is cut off while it loads
 * leaves nothing that others wait for. Later calls load nothing, and so do no work on behalf of another request.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | null = null;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
}
