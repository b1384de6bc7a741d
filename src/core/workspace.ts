/** Whose a stored thing is: services that share a side store, but serve other sources, see nothing of each other. */
export interface Workspace {
  /** At most 64 characters. */
  readonly name: string
  /** The sources (tenants) that the service serves now. */
  readonly source_ids: readonly string[]
}
