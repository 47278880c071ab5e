/** The look of the page at `/`: type and space, one accent, light and dark, from 320 px up. */
export const HOME_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#16211c, #eef2ec); --quiet: light-dark(#55625b, #a3b0a8);
  --paper: light-dark(#f7f5ef, #121714); --card: light-dark(#fff, #1a211d); --line: light-dark(#dedbd1, #313b35);
  --accent: light-dark(#1c6b43, #7fd1a1); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: clamp(28px, 7vw, 88px) clamp(18px, 5vw, 40px) 56px; }
.name { margin: 0 0 22px; font-size: 14px; font-weight: 650; letter-spacing: .02em; color: var(--accent); }
h1 { margin: 0 0 18px; max-width: 14em; font-size: clamp(34px, 7.4vw, 62px); line-height: 1.04; letter-spacing: -.035em;
  font-weight: 720; text-wrap: balance; }
.lead { margin: 0; max-width: 38em; color: var(--quiet); font-size: clamp(17px, 2.2vw, 20px); }
.sizes { display: flex; align-items: flex-end; gap: 10px; height: 96px; margin: 36px 0 30px; overflow: hidden; }
.sizes i { display: block; flex: none; border: 1.5px solid var(--line); background: var(--card); border-radius: 3px; }
.sizes i:nth-child(1) { width: 115px; height: 96px; background: var(--accent); border-color: var(--accent); }
.sizes i:nth-child(2) { width: 38px; height: 96px; }
.sizes i:nth-child(3) { width: 232px; height: 30px; }
.sizes i:nth-child(4) { width: 72px; height: 72px; }
.sizes i:nth-child(5) { width: 128px; height: 20px; }
nav { display: flex; flex-wrap: wrap; gap: 8px 22px; }
a { color: var(--ink); text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: 5px;
  padding: 6px 0; }
a:hover { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
section { margin-top: clamp(48px, 8vw, 80px); }
h2 { margin: 0 0 6px; font-size: 25px; letter-spacing: -.02em; line-height: 1.2; }
section p { margin: 0 0 16px; color: var(--quiet); }
pre { margin: 0; padding: 18px 20px; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; font: 13.5px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 2; }
p code { font: 0.92em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
details { border-top: 1px solid var(--line); padding: 4px 0; }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { padding: 12px 0; font-weight: 620; cursor: pointer; }
details[open] pre { margin-bottom: 16px; }
footer { margin-top: 64px; color: var(--quiet); font-size: 14px; }
@media (prefers-contrast: more) { :root { --quiet: var(--ink); --line: var(--ink); } }
`;
