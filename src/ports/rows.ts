/**
 * A row as the executors return it, exact on every engine. 64-bit integers and decimals are text, small integers are numbers, JSON is text.
 * Booleans are boolean, on MySQL 0 or 1 as number or text. Instants are `YYYY-MM-DD HH:MM:SS`, with a fraction of a second without trailing
 * zeros. Days are `YYYY-MM-DD`.
 */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>
