/** A statement for a driver. `label` is in a leading comment, so that a DBA finds the statement in the slow log. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | number | boolean | null)[]
  readonly label: string
}
