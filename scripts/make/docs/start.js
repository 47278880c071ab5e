// Shows the OpenAPI document in Swagger UI. Everything is loaded from this origin; only the reader sends API requests.

/** Idempotency-Keys that the forms are prefilled with. A key that the reader enters is sent unchanged, for replays. */
const prefilled = new Set();

const METHODS = ["get", "put", "post", "delete"];

/** Collects the prefilled keys. They must be replaced: a second request with the same key would be a conflict. */
function notePrefilled(description) {
  for (const path of Object.values(description.paths)) {
    for (const method of METHODS) {
      for (const parameter of path[method]?.parameters ?? []) {
        if (parameter.name === "Idempotency-Key") {
          prefilled.add(String(parameter.example ?? parameter.schema.example));
        }
      }
    }
  }
}

/** Replaces a prefilled key with a new one for each request. */
function withFreshKey(request) {
  const name = Object.keys(request.headers ?? {}).find(
    (header) => header.toLowerCase() === "idempotency-key",
  );
  if (name !== undefined && prefilled.has(request.headers[name])) request.headers[name] = crypto.randomUUID();
  return request;
}

/** The image in a preview's response, or null. */
function pictureIn(content) {
  try {
    const { image } = JSON.parse(content).data;
    return image.contentType === "image/png" && image.base64 ? image : null;
  } catch {
    return null;
  }
}

/** Shows a preview's image above its JSON. */
const showPictures = ({ React }) => ({
  wrapComponents: {
    responseBody: (Body) => (shown) => {
      const picture = typeof shown.content === "string" ? pictureIn(shown.content) : null;
      const body = React.createElement(Body, shown);
      if (picture === null) return body;
      return React.createElement(
        "div",
        null,
        React.createElement("img", {
          className: "preview-picture",
          alt: "The preview",
          width: picture.width,
          height: picture.height,
          src: `data:image/png;base64,${picture.base64}`,
        }),
        body,
      );
    },
  },
});

async function start() {
  const answer = await fetch("/openapi.json");
  const description = await answer.json();
  notePrefilled(description);
  const reference = window.SwaggerUIBundle({
    spec: description,
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: "list",
    validatorUrl: null,
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [showPictures],
    requestInterceptor: withFreshKey,
    layout: "BaseLayout",
  });
  const key = document.querySelector("#key");
  const said = document.querySelector("#key-said");
  document.querySelector("#use-key").addEventListener("submit", (event) => {
    event.preventDefault();
    const secret = key.value.trim();
    if (secret === "") reference.authActions.logout(["bearerKey"]);
    else reference.preauthorizeApiKey("bearerKey", secret);
    said.textContent =
      secret === "" ? "No key is sent." : "Every try is sent with this key, until the page is left.";
  });
}

start();
