import type { Size } from "creative-packs";
import { useTranslation } from "react-i18next";

type SizeShape = Pick<Size, "group" | "width" | "height">;

/** Names of networks and sizes. An unknown network is shown by its id. */
export function useSizeNames() {
  const { t, i18n } = useTranslation("editor");
  // Without the Oxford comma.
  const list = new Intl.ListFormat(i18n.language === "en" ? "en-GB" : i18n.language);
  const groupName = (group: string): string => t(`sizes.groups.${group}` as never, { defaultValue: group });
  const sizeName = ({ group, width, height }: SizeShape): string =>
    `${groupName(group)} ${width} × ${height}`;
  /** Lists networks and dimensions in a sentence, without line breaks inside a name. */
  const groupNames = (groups: Iterable<string>): string =>
    list.format([...new Set(groups)].map((group) => groupName(group).replaceAll(" ", "\u00a0")));
  const pixelNames = (sizes: readonly SizeShape[]): string =>
    list.format(sizes.map(({ width, height }) => `${width}\u00a0×\u00a0${height}`));
  return { groupName, groupNames, sizeName, pixelNames };
}

/** Maximum edge of an outline in CSS px, for a size whose longest edge is `SIZE_PX_MAX` pixels. */
const OUTLINE_PX_MAX = 44;
const SIZE_PX_MAX = 2_560;

/**
 * Width and height of a size's outline in CSS px, in true proportions. The scale follows the square root of the length,
 * so that small sizes stay visible.
 */
export function outlineOf({ width, height }: Pick<Size, "width" | "height">): {
  readonly width: number;
  readonly height: number;
} {
  const longer = Math.max(width, height);
  const scale = (OUTLINE_PX_MAX * Math.sqrt(longer / SIZE_PX_MAX)) / longer;
  return { width: Math.max(3, width * scale), height: Math.max(3, height * scale) };
}
