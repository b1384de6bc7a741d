import type { Cell } from '../../ports/rows.ts'

const OID = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, json: 114, float4: 700, float8: 701 } as const
const OID_TEMPORAL = { date: 1082, timestamp: 1114, timestamptz: 1184 } as const
const OID_JSONB = 3802

const asNumber = (text: string): Cell => Number(text)
const asBoolean = (text: string): Cell => text === 't'
const asText = (text: string): Cell => text
// The session's zone is UTC, so every offset is +00 and can be left out.
const withoutOffset = (text: string): Cell => text.replace(/\+00$/, '')

const PARSERS: ReadonlyMap<number, (text: string) => Cell> = new Map([
  [OID.bool, asBoolean],
  [OID.int2, asNumber],
  [OID.int4, asNumber],
  [OID.oid, asNumber],
  [OID.float4, asNumber],
  [OID.float8, asNumber],
  [OID_TEMPORAL.timestamptz, withoutOffset],
])

/**
 * PostgreSQL's text of a value as an exact cell. Instants, days, and numbers of types that a double cannot always hold exactly
 * stay text.
 */
export function exactParser(oid: number): (text: string) => Cell {
  return PARSERS.get(oid) ?? asText
}

/** Exact parsers by type, for drivers that otherwise parse these types themselves. */
export const EXACT_PARSERS: Readonly<Record<number, (text: string) => Cell>> = Object.fromEntries(
  [...Object.values(OID), ...Object.values(OID_TEMPORAL), OID_JSONB].map((oid) => [oid, exactParser(oid)]),
)
