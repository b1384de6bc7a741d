/** The read-only database role to create. */
export interface GrantRequest {
  readonly dialect: 'postgres' | 'mysql'
  readonly user: string
  /** Default: the name in the engine's installation. */
  readonly database: string | undefined
  readonly schema: string
  /** Grants on these tables only. If empty: all grants that a new role needs. */
  readonly tables: readonly string[]
}
