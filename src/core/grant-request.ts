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

/** The account of a user from any host, as MySQL and MariaDB read it. */
export function mysqlAccount(user: string): string {
  const name = isPlainName(user) ? user : `'${user.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return `${name}@'%'`
}

/**
 * The step that gives a new role its password, after the statements. In psql it asks for the password, so that no text is taken for it. mysql
 * cannot ask, so the step is a comment, and the account stays locked until then.
 */
export function passwordStep({ dialect, user }: Pick<GrantRequest, 'dialect' | 'user'>): string {
  if (dialect === 'postgres') return `\\password ${postgresName(user)}`
  return `-- Then give it a password: alter user ${mysqlAccount(user)} identified by '<password>' account unlock;`
}

/** True if no database needs quotation marks for the name. */
export function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name)
}
