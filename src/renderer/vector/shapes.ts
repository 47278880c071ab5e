import type { Box } from "../types.ts";
import { type Path, PathBuilder } from "./path.ts";

/** How far a cubic's control points stand off to follow a quarter of a circle of radius 1 (error under 0.03 %). */
const QUARTER = 0.5522847498307936;

/** A rectangle with round corners. The radius is held to half the shorter side; 0 gives square corners. */
export function roundedRect(box: Box, radius: number): Path {
  const builder = new PathBuilder();
  addRoundedRect(builder, box, radius, false);
  return builder.build();
}

/** The band of `thickness` pixels along the inside of a rounded rectangle's edge. */
export function roundedFrame(box: Box, radius: number, thickness: number): Path {
  const builder = new PathBuilder();
  addRoundedRect(builder, box, radius, false);
  const width = box.width - 2 * thickness;
  const height = box.height - 2 * thickness;
  if (width > 0 && height > 0) {
    const inner = { x: box.x + thickness, y: box.y + thickness, width, height };
    addRoundedRect(builder, inner, Math.max(0, radius - thickness), true);
  }
  return builder.build();
}

export function circle(centreX: number, centreY: number, radius: number): Path {
  return ellipse(centreX, centreY, radius, radius);
}

export function ellipse(centreX: number, centreY: number, radiusX: number, radiusY: number): Path {
  const kx = radiusX * QUARTER;
  const ky = radiusY * QUARTER;
  const [left, right, top, bottom] = [
    centreX - radiusX,
    centreX + radiusX,
    centreY - radiusY,
    centreY + radiusY,
  ];
  return new PathBuilder()
    .moveTo(centreX, top)
    .cubicTo(centreX + kx, top, right, centreY - ky, right, centreY)
    .cubicTo(right, centreY + ky, centreX + kx, bottom, centreX, bottom)
    .cubicTo(centreX - kx, bottom, left, centreY + ky, left, centreY)
    .cubicTo(left, centreY - ky, centreX - kx, top, centreX, top)
    .close()
    .build();
}

/** A closed polygon through the points; fewer than three enclose nothing. */
export function polygon(points: readonly (readonly [x: number, y: number])[]): Path {
  const builder = new PathBuilder();
  points.forEach(([x, y], i) => {
    if (i === 0) builder.moveTo(x, y);
    else builder.lineTo(x, y);
  });
  return builder.close().build();
}

function addRoundedRect(builder: PathBuilder, box: Box, radius: number, isReversed: boolean): void {
  const r = Math.max(0, Math.min(radius, box.width / 2, box.height / 2));
  const off = r * (1 - QUARTER);
  const [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  if (isReversed) {
    builder
      .moveTo(left + r, top)
      .cubicTo(left + off, top, left, top + off, left, top + r)
      .lineTo(left, bottom - r)
      .cubicTo(left, bottom - off, left + off, bottom, left + r, bottom)
      .lineTo(right - r, bottom)
      .cubicTo(right - off, bottom, right, bottom - off, right, bottom - r)
      .lineTo(right, top + r)
      .cubicTo(right, top + off, right - off, top, right - r, top)
      .close();
    return;
  }
  builder
    .moveTo(left + r, top)
    .lineTo(right - r, top)
    .cubicTo(right - off, top, right, top + off, right, top + r)
    .lineTo(right, bottom - r)
    .cubicTo(right, bottom - off, right - off, bottom, right - r, bottom)
    .lineTo(left + r, bottom)
    .cubicTo(left + off, bottom, left, bottom - off, left, bottom - r)
    .lineTo(left, top + r)
    .cubicTo(left, top + off, left + off, top, left + r, top)
    .close();
}
