"use strict";

/* Shows the description of this server, and nothing from any other. */
window.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#description",
  layout: "BaseLayout",
  presets: [window.SwaggerUIBundle.presets.apis],
  docExpansion: "none",
  validatorUrl: null,
  queryConfigEnabled: false,
  persistAuthorization: false,
});
