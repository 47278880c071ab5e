import type { Box } from "../types.ts";
import { type Path, PathBuilder } from "./path.ts";

/** How far a cubic's control points stand off to follow a quarter of a circle of radius 1 (error under 0.03 %). */
const QUARTER = 0.5522847498307936;

/** A rectangle with round corners. The radius is held to half the shorter side; 0 gives square corners. */
export function roundedRect(box: Box, radius: number): Path {
  const r = Math.max(0, Math.min(radius, box.width / 2, box.height / 2));
  const off = r * (1 - QUARTER);
  const [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  return new PathBuilder()
    .moveTo(left + r, top)
    .lineTo(right - r, top)
    .cubicTo(right - off, top, right, top + off, right, top + r)
    .lineTo(right, bottom - r)
    .cubicTo(right, bottom - off, right - off, bottom, right - r, bottom)
    .lineTo(left + r, bottom)
    .cubicTo(left + off, bottom, left, bottom - off, left, bottom - r)
    .lineTo(left, top + r)
    .cubicTo(left, top + off, left + off, top, left + r, top)
    .close()
    .build();
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
