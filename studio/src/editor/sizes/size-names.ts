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
