/** A boolean as any of the databases hands it over: MySQL has numbers of several sizes for it, the larger ones as text. */
export function isTrue(cell: unknown): boolean {
  return cell === true || cell === 1 || cell === '1'
}
