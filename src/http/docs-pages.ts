/** Page that renders `/openapi.json` with Swagger UI. All assets are local. */
export const SWAGGER_PAGE = page(
  'Plumbline API',
  '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">',
  '<div id="swagger-ui"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start-swagger.js"></script>',
)

/** Starts Swagger UI; a file of its own, for the pages allow no inline script. */
export const START_SWAGGER = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
})
`

/** The same document as one long page, with Redoc. */
export const REDOC_PAGE = page(
  'Plumbline API reference',
  '<style>body { margin: 0 } img[alt="redocly logo"] { display: none }</style>',
  '<redoc spec-url="/openapi.json" disable-search="false"></redoc><script src="/docs/assets/redoc.standalone.js"></script>',
)

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
${head}
</head>
<body>
${body}
</body>
</html>
`
}
