// Values that JavaScript cannot hold exactly, or would shift by a time zone, stay the text that the server sent.
const BOOLEAN = 16
const SMALL_INTEGERS = [21, 23]

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

/** PostgreSQL result types by OID for `pg`: booleans and small integers, all else as text. */
export const pgTypes = {
  getTypeParser(oid: number): Parser {
    if (oid === BOOLEAN) return (text) => text === 't'
    return SMALL_INTEGERS.includes(oid) ? Number : asText
  },
}
