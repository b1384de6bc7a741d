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

/** One customer's value: numbers as decimal text, instants as `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface AttributeValue {
  readonly source_id: string
  readonly customer_id: string
  readonly value: string | boolean
}
