import { column, defineRelation, nullable } from './define-relation.ts'

/** Customers that count (D15, D16), as they are now. */
export const customer = defineRelation({
  name: 'customer',
  kind: 'base',
  description: 'One row per customer. Test accounts are already left out, so an inner join drops only rows that do not count.',
  grain: ['customer_key'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Key inside the statement, never shown.'),
    column('source_id', 'text', 'Tenant of the engine.'),
    column('customer_id', 'text', 'Id of the account.'),
    nullable('customer_name', 'text', 'Name.'),
    nullable('external_key', 'text', 'Key given by the user of the engine.'),
    nullable('email', 'text', 'E-mail address.'),
    nullable('currency', 'text', 'Currency of the account.'),
    nullable('customer_country', 'text', 'Country code.'),
    column('created_at', 'timestamp', 'Creation of the account.'),
    nullable('collection_method', 'text', 'How the customer pays (D61).', ['automatic', 'manual']),
    nullable('company_name', 'text', 'Company.'),
    nullable('city', 'text', 'City.'),
    nullable('state', 'text', 'State or province.'),
    nullable('postal_code', 'text', 'Postal code.'),
    nullable('locale', 'text', 'Locale.'),
    nullable('time_zone', 'text', 'Time zone.'),
  ],
})
