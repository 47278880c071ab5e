import { COLOURS, type Composition, type Placed } from "../competitors/composition.ts";

/** Elements as satori accepts them without JSX. */
interface Markup {
  readonly type: string;
  readonly props: {
    readonly style: Readonly<Record<string, string | number>>;
    // satori's types require a mutable list.
    readonly children?: string | Markup[];
    readonly src?: string;
  };
}

type Style = Readonly<Record<string, string | number>>;

const at = ({ x, y, width, height }: Placed): Style => ({
  position: "absolute",
  left: x,
  top: y,
  width,
  height,
});

const box = (style: Style, children: string | Markup[]): Markup => ({
  type: "div",
  props: { style: { display: "flex", ...style }, children },
});

const image = (place: Placed, src: string): Markup => ({ type: "img", props: { src, style: at(place) } });

/** A composition as satori's tree of boxes, with images as data URLs. */
export function markupOf(composition: Composition, photo: string, logo: string): Markup {
  const { width, height, hero, headline, button, hasScrim } = composition;
  const children: Markup[] = [
    box({ ...at(hero), overflow: "hidden" }, [image(composition.photo, photo)]),
    ...(hasScrim
      ? [
          box(
            { ...at(hero), backgroundImage: `linear-gradient(to bottom, rgba(0,0,0,0), ${COLOURS.ground})` },
            [],
          ),
        ]
      : []),
    image(composition.logo, logo),
    box(
      {
        position: "absolute",
        left: headline.x,
        top: headline.y,
        flexDirection: "column",
        fontSize: headline.fontSizePx,
        lineHeight: 1,
        color: COLOURS.words,
      },
      headline.lines.map((line) => box({ whiteSpace: "nowrap" }, line)),
    ),
    box(
      {
        ...at(button),
        alignItems: "center",
        justifyContent: "center",
        borderRadius: button.height / 2,
        backgroundColor: COLOURS.button,
        color: COLOURS.buttonWords,
        fontSize: button.fontSizePx,
      },
      button.lines.join(" "),
    ),
  ];
  return box({ width, height, position: "relative", backgroundColor: COLOURS.ground }, children);
}
