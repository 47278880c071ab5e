import { pathToFileURL } from "node:url";
import { inRoot } from "../../scripts/local/paths.ts";
import { COLOURS, type Composition, type Placed } from "../cases/composition.ts";

const at = ({ x, y, width, height }: Placed): string =>
  `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px`;

/** A composition as a page of HTML over files of this machine. */
export function pageOf(composition: Composition, photoPath: string, logoPath: string): string {
  const { hero, photo, logo, headline, button, hasScrim } = composition;
  const font = pathToFileURL(inRoot("src/renderer/fonts/inter-display-bold.ttf")).href;
  const scrim = `<div style="${at(hero)};background:linear-gradient(rgba(0,0,0,0),${COLOURS.ground})"></div>`;
  return `<!doctype html><meta charset="utf-8"><style>
@font-face { font-family: "Inter"; src: url("${font}"); }
body { margin: 0; background: ${COLOURS.ground}; font-family: "Inter"; font-weight: 700; }
</style>
<div style="${at(hero)};overflow:hidden"><img style="${at(photo)}" src="${pathToFileURL(photoPath).href}"></div>
${hasScrim ? scrim : ""}
<img style="${at(logo)}" src="${pathToFileURL(logoPath).href}">
<div style="position:absolute;left:${headline.x}px;top:${headline.y}px;font-size:${headline.fontSizePx}px;line-height:1;color:${COLOURS.words}">${headline.lines.join("<br>")}</div>
<div style="${at(button)};display:flex;align-items:center;justify-content:center;border-radius:${button.height / 2}px;background:${COLOURS.button};color:${COLOURS.buttonWords};font-size:${button.fontSizePx}px">${button.lines.join(" ")}</div>
`;
}
