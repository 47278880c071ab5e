/** Style of the gallery page: dark and neutral, so that light and dark images both show their edges. */
export const pageStyle = `
      :root { color-scheme: dark; --ink: #e6e8ea; --quiet: #9aa1a7; --line: #43484d; --bad: #ff9a85; }
      body { margin: 0 auto; max-width: 1560px; padding: 40px 32px 96px; background: #2b2e31; color: var(--ink);
        font: 14px/1.5 system-ui, sans-serif; }
      h1 { font-size: 30px; letter-spacing: -0.02em; margin: 0 0 8px; }
      h2 { font-size: 26px; letter-spacing: -0.02em; margin: 72px 0 0; padding-top: 20px; border-top: 1px solid var(--line); text-transform: capitalize; }
      h3 { font-size: 18px; margin: 32px 0 0; text-transform: capitalize; }
      h4 { font-size: 12px; letter-spacing: 0.06em; text-transform: uppercase; color: var(--quiet); margin: 24px 0 10px; }
      p { margin: 0; }
      a { color: inherit; margin-right: 10px; }
      nav { margin-top: 16px; color: var(--quiet); }
      nav a { color: var(--ink); }
      header p { color: var(--quiet); max-width: 70ch; }
      .files { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 28px 24px; }
      figure { margin: 0; max-width: 100%; }
      figure a { display: block; margin: 0; }
      img { display: block; max-width: 100%; height: auto; }
      figcaption { color: var(--quiet); font-size: 12px; margin-top: 6px; overflow-wrap: anywhere; }
      figcaption b { color: var(--ink); }
      .fail { color: var(--bad); font-weight: 600; }
      ul { margin: 4px 0 0; padding-left: 16px; }
`;
