import type { CleanElement } from "./clean-element.ts";

/** Properties that make an element draw on a layer of its own, each with the value that has no effect. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  opacity: "1",
  mask: "none",
  "clip-path": "none",
  filter: "none",
  "mix-blend-mode": "normal",
  isolation: "auto",
};

/** Whether an element's style sets the property to a value that has an effect. */
export const hasEffect = ({ style }: CleanElement, property: string): boolean =>
  (style.get(property) ?? WITHOUT_EFFECT[property]) !== WITHOUT_EFFECT[property];

/** Whether an element's style makes it draw on a layer of its own. */
export const needsLayer = (element: CleanElement): boolean =>
  Object.keys(WITHOUT_EFFECT).some((property) => hasEffect(element, property));
