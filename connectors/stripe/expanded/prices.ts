import { type Fragment, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { documents, fieldsAs, type Scope } from '../documents.ts'

/** Fields of a price that decide its amounts. */
export const PRICING = {
  id: 'text',
  currency: 'text',
  billing_scheme: 'text',
  unit_amount: 'numeric',
  unit_amount_decimal: 'numeric',
  recurring: 'jsonb',
  transform_quantity: 'jsonb',
} as const

/** Fields of a price that its readers take apart. */
const PRICE = { ...PRICING, product: 'jsonb', nickname: 'text' } as const

/** Facts about the prices of an account that are not in their rows. Both are JSON. */
export interface PriceFacts {
  /** Documents of prices without a row, as items and lines hold them: a list. */
  readonly rowless: string
  /** Units of prices in other currencies than their own (S11): a list of `price_id`, `currency` and `unit`, in minor units. */
  readonly units: string
}

/** Columns of a price, from the fields of a record `price`. */
const COLUMNS = sql`price.id as price_id, lower(price.currency) as currency,
  coalesce(price.product ->> 'id', price.product #>> '{}') as product_id, price.nickname,
  case when price.billing_scheme = 'tiered' then 1 else 0 end as is_tiered, coalesce(price.unit_amount_decimal, price.unit_amount) as unit,
  price.recurring ->> 'interval' as period, cast(coalesce(price.recurring ->> 'interval_count', '1') as numeric) as period_count,
  case when price.recurring ->> 'usage_type' = 'metered' then 1 else 0 end as is_metered,
  cast(price.transform_quantity ->> 'divide_by' as numeric) as divide_by, price.transform_quantity ->> 'round' as package_round`

/** A select of all prices of the scope, those without a row included (S14). Each has one row. */
export function allPrices(scope: Scope, { rowless }: Pick<PriceFacts, 'rowless'>): Fragment {
  return sql`select ${COLUMNS} from ${documents('prices', scope, PRICE)} as price where price.recurring ->> 'interval' is not null
    union all
    select ${COLUMNS} from jsonb_array_elements(cast(${value(rowless, 'text')} as jsonb)) as listed (document)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('price', PRICE)} where price.recurring ->> 'interval' is not null`
}

/** A select of the known units in other currencies. */
export function knownUnits({ units }: Pick<PriceFacts, 'units'>): Fragment {
  return sql`select known.price_id, known.currency, known.unit from jsonb_to_recordset(cast(${value(units, 'text')} as jsonb))
    as known (price_id text, currency text, unit numeric)`
}

/** The plans: all recurring prices with the names of their products. */
export function expandedPrices(scope: Scope, facts: PriceFacts): Fragment {
  return sql`select price.price_id, price.nickname, product.name as product_name, price.is_metered, price.is_tiered, price.period,
      cast(price.period_count as bigint) as period_count
    from (${allPrices(scope, facts)}) as price
    left join ${documents('products', scope, { id: 'text', name: 'text' })} as product on product.id = price.product_id`
}
