/** A name as Trino reads it in a statement. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
