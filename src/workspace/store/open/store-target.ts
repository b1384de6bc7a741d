import { join, resolve } from 'node:path'
import { redact } from '../../../core/addresses.ts'
import { AppError } from '../../../core/errors.ts'
import { serverAddress, serverKind } from '../../../databases/addresses/read-address.ts'
import type { ServerAddress } from '../../../databases/addresses/server-address.ts'
import type { ReadingOptions } from '../snapshot.ts'

/** The place of the store. `name` is its name in messages, without secrets. */
export type StoreTarget =
  | { readonly kind: 'postgres' | 'mysql'; readonly address: ServerAddress; readonly schema: string; readonly name: string }
  | { readonly kind: 'embedded'; readonly file: string; readonly name: string }
  | { readonly kind: 'none' }

/** Options of the side schema: `url` as in `store.url`, `schema` for PostgreSQL, `baseDirectory` for a relative path. */
export interface StoreOptions {
  readonly url: string
  readonly schema: string
  readonly baseDirectory: string
  /** Whether the billing database can read the store's tables. */
  readonly colocated?: boolean
  /** Options for statements of metrics. Absent: no metric reads the store. */
  readonly reading?: ReadingOptions
  /** 32 bytes in base64 that seal secrets. Without it, an embedded store uses a key file. */
  readonly secretKey?: string | undefined
  /** Called with messages for the owner of the store. */
  readonly onNotice?: ((message: string) => void) | undefined
}

/** Reads `store.url`. AppError `invalid_value` if it names no known kind of store. */
export function storeTarget({ url, schema, baseDirectory }: Pick<StoreOptions, 'url' | 'schema' | 'baseDirectory'>): StoreTarget {
  if (url === 'none') return { kind: 'none' }
  const path = embeddedPath(url)
  if (path !== undefined) {
    const file = resolve(baseDirectory, path)
    return { kind: 'embedded', file, name: file }
  }
  const kind = serverKind(url)
  if (kind !== undefined && kind !== 'trino') {
    const address = serverAddress(url, 'store.url')
    return { kind, address, schema: kind === 'postgres' ? schema : (address.database ?? ''), name: redact(url) }
  }
  throw new AppError('invalid_value', 'store.url must be postgres://…, mysql://…, mariadb://…, sqlite:<file> or none.')
}

// The first version kept its store, of a different kind, in a directory. If the address names such a directory, the store is now
// a file inside it.
function embeddedPath(url: string): string | undefined {
  if (/^sqlite:./.test(url)) return url.slice('sqlite:'.length)
  return /^pglite:./.test(url) ? join(url.slice('pglite:'.length), 'store.db') : undefined
}
