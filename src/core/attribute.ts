/** Types of attributes. */
export const ATTRIBUTE_TYPES = ['string', 'number', 'boolean', 'timestamp'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

/** The definition of a customer attribute. */
export interface AttributeDefinition {
  readonly key: string
  readonly label: string
  readonly type: AttributeType
  /** `csv`, `api` or the type of a connector. */
  readonly source: string
  readonly description: string | null
}

/** Creation and last change of a record, as `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Dated {
  readonly created_at: string
  readonly updated_at: string
}

/** An attribute definition in the side store. */
export type StoredAttribute = AttributeDefinition & Dated

/** Overrides in the side store for an attribute of the billing engine. Null keeps the engine's value. */
export interface AttributeNote extends Dated {
  readonly key: string
  /** The type that its values are read as. */
  readonly type: AttributeType | null
  readonly label: string | null
  readonly description: string | null
}

/** Last writer of a stored value. */
export type AttributeOrigin = 'api' | 'csv'

/** A customer: an account of one tenant. */
export interface CustomerRef {
  readonly source_id: string
  readonly customer_id: string
}

/** The customer as a map key. */
export function customerName({ source_id, customer_id }: CustomerRef): string {
  return `${source_id} ${customer_id}`
}

/** The value of one customer. Numbers are decimal text, instants `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface AttributeValue extends CustomerRef {
  readonly value: string | boolean
}

/** A value with its key and type. */
export interface AttributeEntry extends AttributeValue {
  readonly key: string
  readonly type: AttributeType
}

/** A stored value in lists. */
export interface StoredEntry extends AttributeEntry {
  readonly origin: string
  readonly updated_at: string
}

/** Most attributes that one call or file can set. */
export const MOST_KEYS_AT_ONCE = 200
