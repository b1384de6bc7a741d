import type { Middleware } from './environment.ts'

/** What every answer carries unless it says otherwise: it is not to be stored, sniffed, framed or embedded elsewhere. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Puts the safe headers on every answer that has none of its own, errors too. */
export function safeHeaders(): Middleware {
  return async (context, next) => {
    await next()
    const { headers } = context.res
    for (const [name, value] of Object.entries(SAFE_HEADERS)) if (!headers.has(name)) headers.set(name, value)
  }
}
