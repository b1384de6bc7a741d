import { suggest } from '../../core/errors.ts'
import { clipped } from '../../core/text.ts'
import { attributeKeyOf, isImpersonal } from '../../query/attributes.ts'
import type { Field } from '../../query/field.ts'
import { oneOf } from '../../query/issues.ts'
import type { HeldValues } from './held-values.ts'

/** Most values that a message lists of a field, and most characters of one. */
const MOST_LISTED = 10
const MOST_CHARACTERS = 60
const MOST_NEAR = 3

/** A field with the values that filters name, and those that it has. */
export interface Judged {
  readonly field: Field
  readonly wanted: readonly string[]
  readonly held: HeldValues
}

/** The sentences about a value that no row has. */
export function sentenceOf({ field: { key }, held: { values, count } }: Judged, value: string): string {
  const said = `No row has ${key}=${value === '' ? '""' : clipped(value, MOST_CHARACTERS)}.`
  if (count === null) return said
  const attribute = attributeKeyOf(key)
  const shown = attribute === undefined ? values : values.filter((text) => isImpersonal(attribute, text))
  const near = nearTo(value, shown, key)
  const many = `It has ${count === 0 ? 'no values' : count === 1 ? '1 value' : `${count} values`}`
  if (near.length > 0) return `${said} Did you mean ${oneOf(near.map(brief))}? ${many}.`
  return shown.length === count && count > 0 && count <= MOST_LISTED
    ? `${said} ${many}: ${shown.map(brief).join(', ')}.`
    : `${said} ${many}.`
}

function brief(text: string): string {
  return clipped(text, MOST_CHARACTERS)
}

/** The value in other letters, or else values that are spelt alike. A country may be meant by its English name. */
function nearTo(value: string, values: readonly string[], key: string): readonly string[] {
  const same = values.filter((text) => text.toLowerCase() === value.toLowerCase())
  if (same.length > 0) return same.slice(0, MOST_NEAR)
  if (!/(^|[._])country$/.test(key)) return suggest(value, values)
  const names = new Map(values.flatMap((code) => (/^[A-Z]{2}$/.test(code) ? [[nameOfCountry(code), code] as const] : [])))
  const exact = names.get(value.toLowerCase())
  if (exact !== undefined) return [exact]
  const spelt = suggest(value, values)
  return spelt.length > 0 ? spelt : suggest(value, [...names.keys()]).flatMap((name) => names.get(name) ?? [])
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })

function nameOfCountry(code: string): string {
  return (COUNTRIES.of(code) ?? code).toLowerCase()
}
