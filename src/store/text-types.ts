// Everything that JavaScript cannot hold exactly, or would shift by a time zone, stays the text that the server sent.
const BOOLEAN = 16
const SMALL_INTEGERS = [21, 23]
const KEPT_AS_TEXT = [20, 114, 1082, 1114, 1184, 1700, 3802]

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

/** PostgreSQL result types by OID for `pg`: booleans and small integers, all else as text. */
export const pgTypes = {
  getTypeParser(oid: number): Parser {
    if (oid === BOOLEAN) return (text) => text === 't'
    return SMALL_INTEGERS.includes(oid) ? Number : asText
  },
}

/** The same for PGlite, which parses booleans and small integers itself. */
export const pgliteParsers: Readonly<Record<number, Parser>> = Object.fromEntries(KEPT_AS_TEXT.map((oid) => [oid, asText]))
