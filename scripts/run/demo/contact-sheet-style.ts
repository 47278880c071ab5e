/** The look of the contact sheet: quiet, so that the creatives are what one sees. */
export const sheetStyle = `
      :root { color-scheme: light; --ink: #1d211f; --quiet: #66706a; --line: #dcd9d0; --good: #1c6b43; --bad: #a8331f; }
      body { margin: 0 auto; max-width: 1280px; padding: 48px 32px; background: #f4f2ec; color: var(--ink);
        font: 14px/1.5 system-ui, sans-serif; }
      h1 { font-size: 30px; letter-spacing: -0.02em; margin: 0 0 8px; }
      h2 { font-size: 21px; letter-spacing: -0.01em; margin: 48px 0 4px; }
      h3 { font-size: 13px; margin: 10px 0 0; }
      p { margin: 0; }
      a { color: inherit; }
      code { font-size: 12px; overflow-wrap: anywhere; }
      .facts { color: var(--quiet); }
      .files { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 32px 28px; margin-top: 24px; }
      figure { margin: 0; max-width: 100%; align-self: flex-start; }
      figure.preview { margin: 24px 0 8px; }
      img { display: block; max-width: 100%; height: auto; background: #fff;
        box-shadow: 0 1px 2px #0002, 0 6px 20px #0000001a; }
      figcaption, figcaption p { color: var(--quiet); font-size: 12px; }
      figcaption h3 { color: var(--ink); }
      .pass { color: var(--good); font-weight: 600; }
      .fail { color: var(--bad); font-weight: 600; }
      .meter { height: 4px; width: 150px; max-width: 100%; background: var(--line); border-radius: 2px; margin: 4px 0; }
      .meter i { display: block; height: 4px; border-radius: 2px; background: var(--good); }
      ul { margin: 4px 0 0; padding-left: 16px; }
      table { border-collapse: collapse; margin-top: 16px; }
      th, td { text-align: left; padding: 6px 18px 6px 0; border-bottom: 1px solid var(--line); }
`;
