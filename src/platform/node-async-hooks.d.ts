/** The part of Node's async_hooks that this worker uses; available under nodejs_compat. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, work: () => R): R;
    getStore(): T | undefined;
    /** Returns a function that runs callbacks in the current context. */
    static snapshot(): <R>(work: () => R) => R;
  }
}
