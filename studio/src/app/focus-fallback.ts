/** Elements that take the focus of one that was removed from within them: of these, the nearest that is left. */
const TAKERS = "section, fieldset, [role=dialog], [role=alertdialog], main";

/**
 * Keeps the focus near an element that is removed while it has it, such as a deleted row's button (WCAG 2.4.3). Browsers
 * move the focus to the top of the page instead.
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
