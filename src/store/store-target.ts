import { resolve } from 'node:path'
import { AppError } from '../core/errors.ts'
import { redact } from '../core/redact.ts'

/** Where the side schema lives. `name` is what messages call it, without secrets. */
export type StoreTarget =
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string; readonly name: string }
  | { readonly kind: 'mysql'; readonly url: string; readonly schema: string; readonly name: string }
  | { readonly kind: 'embedded'; readonly directory: string; readonly name: string }
  | { readonly kind: 'none' }

/** How the side schema is reached: `url` as in `store.url`, `schema` for PostgreSQL, `baseDirectory` for relative directories. */
export interface StoreOptions {
  readonly url: string
  readonly schema: string
  readonly baseDirectory: string
  /** Whether the billing database can read the store's tables. */
  readonly colocated?: boolean
}

/** Reads `store.url`; AppError `invalid_value` for a form that names no kind of store. */
export function storeTarget({ url, schema, baseDirectory }: StoreOptions): StoreTarget {
  if (url === 'none') return { kind: 'none' }
  if (/^pglite:./.test(url)) {
    const directory = resolve(baseDirectory, url.slice('pglite:'.length))
    return { kind: 'embedded', directory, name: directory }
  }
  if (/^postgres(ql)?:\/\//.test(url)) return { kind: 'postgres', url, schema, name: redact(url) }
  if (/^(mysql|mariadb):\/\//.test(url)) {
    const database = URL.canParse(url) ? decodeURIComponent(new URL(url).pathname.slice(1)) : ''
    return { kind: 'mysql', url: url.replace(/^mariadb:/, 'mysql:'), schema: database, name: redact(url) }
  }
  throw new AppError('invalid_value', 'store.url must be postgres://…, mysql://…, mariadb://…, pglite:<directory> or none.')
}
