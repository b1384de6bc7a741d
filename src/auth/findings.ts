import { ANONYMOUS, type AuthSettings } from '../core/auth.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import type { StoredKey } from '../ports/auth-store.ts'
import { type AuthStores, instantNow } from './deps.ts'
import type { Issuer } from './issuer.ts'

/** A finding about authentication for the operator. */
export interface AuthFinding {
  readonly name: 'auth'
  readonly level: 'ok' | 'warning'
  readonly message: string
}

/** Reports whether anybody can sign in, and keys that were created while authentication was off. */
export async function authFindings(
  { enabled, oidc_issuer }: AuthSettings,
  openStores: () => Promise<AuthStores>,
  issuer: (() => Promise<Issuer>) | undefined,
): Promise<readonly AuthFinding[]> {
  if (!enabled) return []
  const about = issuer === undefined ? [] : [await issuerFinding(issuer, oidc_issuer ?? '')]
  try {
    const live = (await (await openStores()).keys.list()).filter(isLive)
    const anonymous = live.filter(({ created_by }) => created_by === ANONYMOUS.id)
    return [
      ...about,
      ...(live.length === 0 && issuer === undefined ? [warning(NOBODY_CAN)] : []),
      ...anonymous.map(({ key_prefix }) => warning(`the key ${key_prefix}… ${MADE_BY_ANYBODY}`)),
    ]
  } catch (error) {
    // Failures of database and store have their own findings.
    if (error instanceof AppError || error instanceof ConfigurationError) return about
    throw error
  }
}

const NOBODY_CAN = 'nobody can sign in: `plumbline keys create <name> --scope admin` makes the first key'
const MADE_BY_ANYBODY = 'was made over HTTP while authentication was off: revoke it (plumbline keys revoke) unless you know it'

async function issuerFinding(issuer: () => Promise<Issuer>, name: string): Promise<AuthFinding> {
  try {
    await (await issuer()).keys()
    return { name: 'auth', level: 'ok', message: `tokens of ${name} are accepted` }
  } catch (error) {
    return warning(error instanceof AppError ? error.operatorDetail : `the issuer ${name} cannot be asked`)
  }
}

function isLive({ revoked_at, expires_at }: StoredKey): boolean {
  return revoked_at === null && (expires_at === null || expires_at > instantNow())
}

function warning(message: string): AuthFinding {
  return { name: 'auth', level: 'warning', message }
}
