/** A point of a measured curve. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Slope of a least-squares line; 0 for fewer than two points. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  if (spread === 0 || points.length < 2) return 0;
  return points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}
