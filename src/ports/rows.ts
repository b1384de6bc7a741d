/**
 * A row as the executors return it, exact on every engine: 64-bit integers and decimals as text, small integers as number,
 * booleans as boolean (MySQL: 0 or 1, as number or text), instants `YYYY-MM-DD HH:MM:SS` with the fraction of a second that there is,
 * without trailing zeros, days `YYYY-MM-DD`, JSON and text as text.
 */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>
