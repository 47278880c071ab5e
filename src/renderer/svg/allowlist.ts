/**
 * The elements, properties and attributes that an SVG may have. Other elements are rejected, except
 * `DROPPED_ELEMENTS`; other properties and attributes are dropped.
 */

const namesOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(" ").split(" "));

/** Drawn directly. */
export const SHAPES: ReadonlySet<string> = namesOf("path rect circle ellipse line polyline polygon");

export const ELEMENTS: ReadonlySet<string> = new Set([
  ...SHAPES,
  ...namesOf(
    "svg g a defs symbol use linearGradient radialGradient stop clipPath mask pattern filter",
    "feBlend feColorMatrix feComposite feDropShadow feFlood feGaussianBlur",
    "feMerge feMergeNode feMorphology feOffset",
  ),
]);

/** Dropped with their children: they describe or animate the picture and draw nothing. */
export const DROPPED_ELEMENTS: ReadonlySet<string> = namesOf(
  "title desc metadata style animate animateMotion animateTransform animateColor set view cursor font",
  "font-face color-profile",
);

/** Drawn only where they are referenced, so they are kept even inside an element that is not drawn. */
export const DEFINITIONS: ReadonlySet<string> = namesOf(
  "defs symbol clipPath mask pattern filter linearGradient radialGradient",
);

/** Their children are drawn in place. */
export const CONTAINERS: ReadonlySet<string> = new Set(["svg", "g", "a", "switch"]);

/** Run code or embed other documents. */
export const FORBIDDEN_ELEMENTS: ReadonlySet<string> = namesOf(
  "script handler listener foreignObject iframe object embed audio video canvas",
);

/** Need fonts, which an SVG does not contain. */
export const TEXT_ELEMENTS: ReadonlySet<string> = namesOf("text tspan tref textPath altGlyph flowRoot");

/** Put a marker on the corners of an outline; rejected when that marker exists. */
export const MARKER_PROPERTIES: ReadonlySet<string> = namesOf("marker marker-start marker-mid marker-end");

/** Style properties, as attributes, in `style` or in style sheets. */
export const PROPERTIES: ReadonlySet<string> = namesOf(
  "clip-path clip-rule color color-interpolation-filters display fill fill-opacity fill-rule filter",
  "flood-color flood-opacity isolation mask mask-type mix-blend-mode opacity overflow paint-order",
  "shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap",
  "stroke-linejoin stroke-miterlimit stroke-opacity stroke-width vector-effect visibility",
);

/** Attributes of geometry and reference, beside the style properties. `href` also matches `xlink:href`. */
export const ATTRIBUTES: ReadonlySet<string> = namesOf(
  "id href transform viewBox preserveAspectRatio x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr d",
  "points pathLength offset gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits",
  "maskContentUnits patternUnits patternContentUnits patternTransform filterUnits primitiveUnits in in2",
  "result mode type values operator k1 k2 k3 k4 dx dy stdDeviation radius edgeMode",
);
