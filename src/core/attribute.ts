/** Types an attribute can be declared with. */
export const ATTRIBUTE_TYPES = ['string', 'number', 'boolean', 'timestamp'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

/** An attribute of customers as it is declared. */
export interface AttributeDefinition {
  readonly key: string
  readonly label: string
  readonly type: AttributeType
  /** `csv`, `api` or the type of a connector. */
  readonly source: string
  readonly description: string | null
}

/** When a record was made and last changed: instants `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Dated {
  readonly created_at: string
  readonly updated_at: string
}

/** A definition that the side store holds. */
export type StoredAttribute = AttributeDefinition & Dated

/** What the side store says of an attribute that the billing engine owns; null leaves it as the engine has it. */
export interface AttributeNote extends Dated {
  readonly key: string
  /** The type that its values are read with. */
  readonly type: AttributeType | null
  readonly label: string | null
  readonly description: string | null
}

/** Who last wrote a stored value. */
export type AttributeOrigin = 'api' | 'csv'

/** A customer: an account of one tenant. */
export interface CustomerRef {
  readonly source_id: string
  readonly customer_id: string
}

/** The customer as a key of a map. */
export function customerName({ source_id, customer_id }: CustomerRef): string {
  return `${source_id} ${customer_id}`
}

/** One customer's value: numbers as decimal text, instants as `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface AttributeValue extends CustomerRef {
  readonly value: string | boolean
}

/** A value with the key that it belongs to. */
export interface AttributeEntry extends AttributeValue {
  readonly key: string
  readonly type: AttributeType
}

/** A stored value as it is listed. */
export interface StoredEntry extends AttributeEntry {
  readonly origin: string
  readonly updated_at: string
}

/** Attributes that one call or one file may set. */
export const MOST_KEYS_AT_ONCE = 200
