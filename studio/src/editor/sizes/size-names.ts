import type { Size } from "creative-packs";
import { useTranslation } from "react-i18next";

type SizeShape = Pick<Size, "group" | "width" | "height">;

/** Names of networks and sizes. A network that this page does not know yet has its id for a name. */
export function useSizeNames() {
  const { t } = useTranslation("editor");
  const groupName = (group: string): string => t(`sizes.groups.${group}` as never, { defaultValue: group });
  const sizeName = ({ group, width, height }: SizeShape): string =>
    `${groupName(group)} ${width} × ${height}`;
  return { groupName, sizeName };
}

/** Edges of the largest outline, and of the largest size that is drawn so. */
const OUTLINE_PX_MAX = 44;
const SIZE_PX_MAX = 2_560;

/**
 * Edges of a size's outline in CSS px: its true proportions, and larger ones larger, though by the root of their
 * lengths, so that the smallest can still be seen.
 */
export function outlineOf({ width, height }: Pick<Size, "width" | "height">): {
  readonly width: number;
  readonly height: number;
} {
  const longer = Math.max(width, height);
  const scale = (OUTLINE_PX_MAX * Math.sqrt(longer / SIZE_PX_MAX)) / longer;
  return { width: Math.max(3, width * scale), height: Math.max(3, height * scale) };
}
