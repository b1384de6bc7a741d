/** For whom and where a role is to be made that can only read. */
export interface GrantRequest {
  readonly dialect: 'postgres' | 'mysql'
  readonly user: string
  /** Absent: as the engine's own installation calls it. */
  readonly database: string | undefined
  readonly schema: string
  /** Only the grants on these tables; all that a new role needs if empty. */
  readonly tables: readonly string[]
}
