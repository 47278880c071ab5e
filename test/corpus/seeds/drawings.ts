import type { NamedFile } from "../kinds.ts";

/** SVGs that use each part of the allowlist. */

const svg = (content: string, attributes = 'viewBox="0 0 240 120"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

const DRAWINGS: Readonly<Record<string, string>> = {
  shapes: svg(
    '<rect width="80" height="80" rx="18" fill="#0b5d4e"/><circle cx="120" cy="40" r="30" fill="#f4b942"/>' +
      '<ellipse cx="200" cy="40" rx="30" ry="20"/><line x1="0" y1="90" x2="240" y2="100" stroke="red" stroke-width="4"/>' +
      '<polyline points="0,110 30,90 60,110" fill="none" stroke="#00f"/><polygon points="90,110 110,90 130,110"/>' +
      '<path d="M10 10 C 20 20, 40 20, 50 10 S 80 0 90 10 q 5 5 10 0 t 10 0 a 5 8 30 1 0 9 9 Z h 3 v 4 H 9 V 8"/>',
  ),
  gradients: svg(
    '<defs><linearGradient id="a" x1="0" x2="1"><stop offset="0" stop-color="#f00"/><stop offset="100%" stop-color="#00f" stop-opacity=".5"/></linearGradient>' +
      '<radialGradient id="b" cx=".5" cy=".5" r=".5" fx=".3" xlink:href="#a" spreadMethod="reflect"/></defs>' +
      '<rect width="120" height="120" fill="url(#a)"/><rect x="120" width="120" height="120" fill="url(#b)"/>',
  ),
  references: svg(
    '<defs><symbol id="s" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol><g id="g"><use href="#s" width="20" height="20"/></g>' +
      '<clipPath id="c"><circle cx="60" cy="60" r="50"/></clipPath><mask id="m"><rect width="120" height="120" fill="#fff"/></mask>' +
      '<pattern id="p" width="12" height="12" patternUnits="userSpaceOnUse"><circle cx="6" cy="6" r="4" fill="#0a0"/></pattern></defs>' +
      '<use xlink:href="#g" x="10" y="10"/><g clip-path="url(#c)"><rect width="120" height="120" fill="url(#p)"/></g>' +
      '<rect x="120" width="120" height="120" mask="url(#m)" opacity=".5"/>',
  ),
  filters: svg(
    '<filter id="f" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur in="SourceAlpha" stdDeviation="2"/><feOffset dx="2" dy="2" result="o"/>' +
      '<feFlood flood-color="#123" flood-opacity=".5"/><feComposite in2="o" operator="in"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>' +
      '<filter id="h"><feColorMatrix type="saturate" values="0.4"/><feBlend in="SourceGraphic" mode="multiply"/><feDropShadow dx="1" dy="1" stdDeviation="1"/></filter>' +
      '<rect x="20" y="20" width="80" height="80" fill="#e11d48" filter="url(#f)"/><circle cx="170" cy="60" r="40" filter="url(#h)" style="mix-blend-mode:screen"/>',
  ),
  strokes: svg(
    '<g transform="translate(10 10) rotate(5) scale(1.1) skewX(3) matrix(1 0 0 1 2 2)" fill="none" stroke="#000" stroke-width="3">' +
      '<path d="M0 0L200 90" stroke-dasharray="4 2 1" stroke-dashoffset="3" stroke-linecap="round"/><path d="M0 90 Q100 0 200 0" stroke-linejoin="bevel" stroke-miterlimit="9"/></g>',
  ),
  "style sheet": svg(
    '<style type="text/css"><![CDATA[ .a { fill: #0b5fff; stroke: none } #r{opacity:.8}/* a note */ rect.b, circle { fill:#ff7a00 !important } ]]></style>' +
      '<rect class="a c" width="100" height="100"/><rect id="r" class="b" x="100" width="100" height="100"/><circle class="a" cx="220" cy="20" r="15"/>',
  ),
  "drawing program": `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Generator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg(
    '<title>Mark &amp; name</title><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata><g id="Layer_1" data-name="A&#x26;B"><switch><g><path d="M0 0h200v80h-200z" style="fill:#123456;stroke:#fff;stroke-width:2px"/></g></switch></g>',
    'width="200mm" height="80mm" viewBox="0 0 200 80" preserveAspectRatio="xMidYMid"',
  )}`,
};

export const svgSeeds = (): readonly NamedFile[] =>
  Object.entries(DRAWINGS).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
