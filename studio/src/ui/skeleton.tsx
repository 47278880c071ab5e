/**
 * In the place of something that is loading, as large as that will be. It does not pulse: where the browser draws without a
 * graphics card, each frame of that costs as much as a size of the grid.
 */
export const Skeleton = ({ className = "" }: { readonly className?: string }) => (
  <span aria-hidden="true" data-skeleton className={`block rounded bg-sunk ${className}`} />
);
