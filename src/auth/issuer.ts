import { createRemoteJWKSet, type RemoteJWKSet } from 'jose'
import { allowInsecureRequests, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { AppError } from '../core/errors.ts'

const DISCOVERY_MS = 5_000
/** Time after which the discovery document of an issuer is read again. */
const KNOWN_MS = 3_600_000
/**
 * Pause after an issuer did not answer. Without it, callers who send many tokens would make this service send as many requests.
 */
const RETRY_AFTER_MS = 5_000
/** Shortest time between two reads of the keys that are caused by tokens with unknown keys. */
const ROTATION_MS = 10_000

/** The public keys of the issuer, in the form that jose takes. */
export type IssuerKeys = RemoteJWKSet

export interface Issuer {
  /**
   * Keys that verify the issuer's tokens. AppError `connector_unavailable` if the issuer cannot be reached or its name differs
   * from the configured name.
   */
  keys(): Promise<IssuerKeys>
}

export interface IssuerOptions {
  /** Replaces ROTATION_MS in tests that rotate keys. */
  readonly rotationMs?: number
  readonly retryAfterMs?: number
}

/**
 * An OpenID Connect issuer, found by its discovery document, which must name it exactly. Its keys are read when they are first needed, when
 * they are ten minutes old, and when a token names an unknown key.
 */
export function createIssuer(
  name: string,
  { rotationMs = ROTATION_MS, retryAfterMs = RETRY_AFTER_MS }: IssuerOptions = {},
): Issuer {
  let known: { readonly keys: IssuerKeys; readonly address: string; readonly until: number } | undefined
  let pending: Promise<IssuerKeys> | undefined
  let failure: { readonly error: AppError; readonly until: number } | undefined

  const refresh = async (): Promise<IssuerKeys> => {
    try {
      const address = await keysAddressOf(name)
      const keys = known?.address === address ? known.keys : remoteKeys(address, rotationMs)
      known = { keys, address, until: Date.now() + KNOWN_MS }
      return keys
    } catch (cause) {
      failure = { error: issuerDown(name, cause), until: Date.now() + retryAfterMs }
      // Keys that were valid an hour ago are most likely still valid.
      if (known === undefined) throw failure.error
      known = { ...known, until: failure.until }
      return known.keys
    }
  }
  return {
    async keys() {
      if (known !== undefined && known.until > Date.now()) return known.keys
      if (known === undefined && failure !== undefined && failure.until > Date.now()) throw failure.error
      pending ??= refresh().finally(() => {
        pending = undefined
      })
      return pending
    },
  }
}

/** The issuer cannot be asked. Only the operator sees its address and the reason. */
export function issuerDown(name: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : 'unknown reason'
  return new AppError('connector_unavailable', 'The issuer of tokens cannot be asked. API keys still work.', {
    cause,
    operatorDetail: `The token issuer ${name} cannot be asked: ${why}.`,
  })
}

async function keysAddressOf(name: string): Promise<string> {
  const issuer = new URL(name)
  const isPlain = issuer.protocol === 'http:'
  const signal = AbortSignal.timeout(DISCOVERY_MS)
  const response = await discoveryRequest(issuer, { signal, ...(isPlain ? { [allowInsecureRequests]: true } : {}) })
  const { issuer: named, jwks_uri: address } = await processDiscoveryResponse(issuer, response)
  if (named !== name) throw new Error(`it calls itself ${named}`)
  if (address === undefined || !URL.canParse(address)) throw new Error('it names no keys')
  if (!isPlain && new URL(address).protocol !== 'https:') throw new Error('its keys are not behind https')
  return address
}

function remoteKeys(address: string, cooldownDuration: number): IssuerKeys {
  return createRemoteJWKSet(new URL(address), { timeoutDuration: DISCOVERY_MS, cooldownDuration })
}
