/** The part of Node's async_hooks that this worker uses; the runtime has it under nodejs_compat. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, work: () => R): R;
    getStore(): T | undefined;
    /** A function that runs others in the context that stands now. */
    static snapshot(): <R>(work: () => R) => R;
  }
}
