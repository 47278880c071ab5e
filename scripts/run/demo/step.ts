/** Shows what a step takes and gives. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;
