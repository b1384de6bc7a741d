/** The page on which an administrator chooses a company and agrees, plain enough for any browser. */
export function consentPage(query: URLSearchParams, realms: readonly string[]): string {
  const hidden = ['redirect_uri', 'state', 'client_id']
    .map((name) => `<input type="hidden" name="${name}" value="${escaped(query.get(name) ?? '')}">`)
    .join('\n')
  const companies = realms.map((realm) => `<option value="${escaped(realm)}">Company ${escaped(realm)}</option>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Connect to QuickBooks (double)</title></head>
<body><main>
<h1>Connect to QuickBooks</h1>
<p>An app asks to read the books of a company (${escaped(query.get('scope') ?? '')}).</p>
<form method="post" action="/connect/oauth2">
${hidden}
<label>Company <select name="realm">${companies}</select></label>
<button name="decision" value="connect">Connect</button>
<button name="decision" value="cancel">No thanks</button>
</form></main></body></html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
