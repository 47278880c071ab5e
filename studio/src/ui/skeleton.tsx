/** In the place of something that is loading, as large as that will be. */
export const Skeleton = ({ className = "" }: { readonly className?: string }) => (
  <span aria-hidden="true" className={`block animate-pulse rounded bg-sunk ${className}`} />
);
