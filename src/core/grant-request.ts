/** The read-only database role to create. */
export interface GrantRequest {
  /** Type of the connector. Default: that of the configuration, else the first one. */
  readonly connector?: string | undefined
  readonly dialect: 'postgres' | 'mysql'
  readonly user: string
  /** Default: the name in the engine's installation. */
  readonly database: string | undefined
  readonly schema: string
  /** Grants on these tables only. If empty: all grants that a new role needs. */
  readonly tables: readonly string[]
}

/** A name as PostgreSQL reads it, in quotation marks if it needs them. */
export function postgresName(name: string): string {
  return isPlainName(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** True if no database needs quotation marks for the name. */
export function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name)
}
