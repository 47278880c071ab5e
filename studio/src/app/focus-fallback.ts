/** Elements that take the focus when the focused element inside them is removed; the nearest remaining one wins. */
const TAKERS = "section, fieldset, [role=dialog], [role=alertdialog], main";

/**
 * Keeps the focus nearby when the focused element is removed, such as a deleted row's button (WCAG 2.4.3). Browsers
 * would move it to the top of the page.
 */
export function keepFocusNearby(): void {
  let focused: Element | null = null;
  let takers: readonly HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    focused = target;
    takers = [...document.querySelectorAll<HTMLElement>(TAKERS)]
      .filter((one) => one.contains(target))
      .reverse();
  });
  new MutationObserver(() => {
    if (focused === null || focused.isConnected || document.activeElement !== document.body) return;
    focused = null;
    const taker = takers.find((one) => one.isConnected) ?? document.querySelector<HTMLElement>("main");
    if (taker === null) return;
    if (!taker.hasAttribute("tabindex")) taker.tabIndex = -1;
    taker.focus({ preventScroll: true });
  }).observe(document, { childList: true, subtree: true });
}
