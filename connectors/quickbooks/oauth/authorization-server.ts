import type { AuthorizationServer } from 'oauth4webapi'
import * as z from 'zod'
import { AppError } from '../../../src/connector-kit/index.ts'
import { isSafeAddress } from '../settings.ts'

/** One day. Intuit's endpoints have not moved in years, but the document would announce a move. */
const KEPT_MS = 86_400_000
const PATIENCE_MS = 10_000

const safe = z.string().refine(isSafeAddress)
const DOCUMENT = z.object({
  issuer: z.string(),
  authorization_endpoint: safe,
  token_endpoint: safe,
  revocation_endpoint: safe,
})

export type Discover = () => Promise<AuthorizationServer>

/** Intuit's authorisation server by its discovery document, read on first use. AppError `connector_unavailable`. */
export function discovery(address: string): Discover {
  let kept: { readonly server: Promise<AuthorizationServer>; readonly until: number } | undefined
  return () => {
    if (kept === undefined || kept.until <= Date.now()) {
      const server = read(address)
      const mine = { server, until: Date.now() + KEPT_MS }
      kept = mine
      // A failed reading is not stored, so the next call tries again.
      server.catch(() => {
        if (kept === mine) kept = undefined
      })
    }
    return kept.server
  }
}

async function read(address: string): Promise<AuthorizationServer> {
  try {
    const answer = await fetch(address, {
      headers: { accept: 'application/json' },
      // The document says where tokens are sent, so it comes from the configured address alone.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return DOCUMENT.parse(await answer.json())
  } catch (cause) {
    throw new AppError('connector_unavailable', `Intuit's discovery document at ${address} cannot be read.`, { cause })
  }
}
