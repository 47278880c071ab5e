/** The page at `/docs/try`: Swagger UI, which sends requests to this origin with the reader's key. */

/** The page's HTML. `asset` returns the URL of a static file, with its version. */
export const tryPage = (asset: (name: string) => string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it · Creative Packs</title>
<link rel="icon" href="/docs/icon.png">
<link rel="stylesheet" href="${asset("swagger-ui.css")}">
<link rel="stylesheet" href="${asset("reference.css")}">
</head>
<body>
<form id="use-key">
<label for="key">API key for what you try here</label>
<div><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="cpk_…"><button>Use key</button></div>
<p id="key-said" role="status">It stays in this page. No key yet? <a href="/">Claim a trial key</a>. Back to the
<a href="/docs">documentation</a>.</p>
</form>
<div id="reference"></div>
<noscript>The description of the interface is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${asset("swagger-ui-bundle.js")}"></script>
<script src="${asset("start.js")}"></script>
</body>
</html>
`;
