import Big from 'big.js'
import * as z from 'zod'
import type { InlineRelation, Row } from '../../src/connector-kit/connector.ts'
import { fn, type QueryRunner, sql, text, textList } from '../../src/connector-kit/query-runner.ts'
import { groupBy } from '../../src/core/group-by.ts'

/** Price of units above `above`, up to `through`: the base amount, and the unit amount for each unit beyond the base units. */
interface UnitPrice {
  readonly above: Big
  readonly through: Big
  readonly base_amount: Big
  readonly base_units: Big
  readonly unit_amount: Big
}

/** Model and properties of a fixed charge at one time, as the engine stores them. */
interface Pricing {
  readonly model: string
  readonly properties: unknown
}

/** Below the lowest number of units: zero units pay the flat amount of the first range. */
const NONE = new Big(-1)
/** Above every number of units. */
const ENDLESS = new Big('99999999999999')
const ALWAYS = '1000-01-01 00:00:00'
const NEVER = '9999-12-31 00:00:00'

const amount = z.union([z.string(), z.number()]).transform((given, check) => {
  try {
    return new Big(given)
  } catch {
    check.addIssue({ code: 'custom', message: 'must be a decimal' })
    return z.NEVER
  }
})
const standard = z.object({ amount })
const ranges = z.array(z.object({ to_value: amount.nullish(), flat_amount: amount, per_unit_amount: amount })).min(1)
const graduated = z.object({ graduated_ranges: ranges })
const volume = z.object({ volume_ranges: ranges })

/** The prices of a fixed charge by number of units. Empty if the model or its properties are not known, so that the price is unknown. */
function unitPrices({ model, properties }: Pricing): readonly UnitPrice[] {
  switch (model) {
    case 'standard': {
      const { data } = standard.safeParse(properties)
      if (data === undefined) return []
      return [{ above: NONE, through: ENDLESS, base_amount: new Big(0), base_units: new Big(0), unit_amount: data.amount }]
    }
    case 'volume':
      return volumePrices(volume.safeParse(properties).data?.volume_ranges ?? [])
    case 'graduated':
      return graduatedPrices(graduated.safeParse(properties).data?.graduated_ranges ?? [])
    default:
      return []
  }
}

/** All units have the price of the range that holds their number. */
function volumePrices(given: z.output<typeof ranges>): readonly UnitPrice[] {
  return given.map(({ to_value, flat_amount, per_unit_amount }, index) => ({
    above: given[index - 1]?.to_value ?? NONE,
    through: to_value ?? ENDLESS,
    base_amount: flat_amount,
    base_units: new Big(0),
    unit_amount: per_unit_amount,
  }))
}

/** The units of each range have its price. The base amount of a range is the price of all ranges before it. */
function graduatedPrices(given: z.output<typeof ranges>): readonly UnitPrice[] {
  const prices: UnitPrice[] = []
  let full = new Big(0)
  let below = new Big(0)
  for (const [index, { to_value, flat_amount, per_unit_amount }] of given.entries()) {
    const through = to_value ?? ENDLESS
    const base_amount = full.plus(flat_amount)
    prices.push({ above: index === 0 ? NONE : below, through, base_amount, base_units: below, unit_amount: per_unit_amount })
    full = base_amount.plus(through.minus(below).times(per_unit_amount))
    below = through
  }
  return prices
}

/** A change of a fixed charge: the values that it replaced, as far as they changed. */
interface Change {
  readonly at: string
  readonly before: Partial<Pricing>
}

/** The prices of a fixed charge over time, from its present ones and its changes, the newest first. */
function priceRows(charge_id: string, now: Pricing, changes: readonly Change[]): InlineRelation['rows'] {
  const rows: string[][] = []
  let pricing = now
  let to = NEVER
  for (const { at, before } of [...changes, { at: ALWAYS, before: {} }]) {
    if (at < to)
      for (const { above, through, base_amount, base_units, unit_amount } of unitPrices(pricing))
        rows.push([
          charge_id,
          at,
          to,
          ...[above, through, base_amount, base_units, unit_amount].map((number) => number.toFixed()),
        ])
    pricing = { ...pricing, ...before }
    to = at
  }
  return rows
}

const changesSchema = z.object({
  charge_model: z.tuple([z.string(), z.string()]).optional(),
  properties: z.tuple([z.unknown(), z.unknown()]).optional(),
})

function changeOf(row: Row): readonly Change[] {
  const { data } = changesSchema.safeParse(JSON.parse(text(row['changes'])))
  if (data === undefined || (data.charge_model === undefined && data.properties === undefined)) return []
  const before = {
    ...(data.charge_model === undefined ? {} : { model: data.charge_model[0] }),
    ...(data.properties === undefined ? {} : { properties: data.properties[0] }),
  }
  return [{ at: text(row['created_at']).slice(0, 19), before }]
}

/**
 * Reads relation `lago_unit_price`: what units of each fixed charge of these organizations cost, over time. SQL cannot read lists of ranges. If
 * the rows are the ones of the last time, so is the relation.
 */
export function createUnitPrices(): (run: QueryRunner, organizations: readonly string[]) => Promise<InlineRelation> {
  let last: { readonly charges: readonly Row[]; readonly versions: readonly Row[]; readonly relation: InlineRelation } | undefined
  return async (run, organizations) => {
    const charges = await run(
      'lago.fixed_charges',
      sql`select charge.id, ${fn('text', sql`charge.charge_model`)} as charge_model, ${fn('text', sql`charge.properties`)} as properties
        from fixed_charges as charge where ${fn('text', sql`charge.organization_id`)} in (${textList(organizations)}) order by charge.id`,
    )
    const versions = await run(
      'lago.fixed_charge_versions',
      sql`select version.item_id, version.created_at, ${fn('text', sql`version.object_changes`)} as changes from versions as version
        where version.item_type = 'FixedCharge' and version.event <> 'create' and version.object_changes is not null
          and version.item_id in (
            select ${fn('text', sql`charge.id`)} from fixed_charges as charge
            where ${fn('text', sql`charge.organization_id`)} in (${textList(organizations)})
          )
        order by version.created_at desc, version.id desc`,
    )
    if (last?.charges !== charges || last.versions !== versions)
      last = { charges, versions, relation: pricesOf(charges, versions) }
    return last.relation
  }
}

function pricesOf(charges: readonly Row[], versions: readonly Row[]): InlineRelation {
  const changes = groupBy(versions, (row) => text(row['item_id']))
  return {
    name: 'lago_unit_price',
    columns: [
      { name: 'charge_id', type: 'text' },
      { name: 'from_at', type: 'timestamp' },
      { name: 'to_at', type: 'timestamp' },
      ...['units_above', 'units_through', 'base_amount', 'base_units', 'unit_amount'].map(
        (name) => ({ name, type: 'decimal' }) as const,
      ),
    ],
    rows: charges.flatMap((row) => {
      const pricing = { model: text(row['charge_model']), properties: JSON.parse(text(row['properties'])) as unknown }
      return priceRows(text(row['id']), pricing, (changes.get(text(row['id'])) ?? []).flatMap(changeOf))
    }),
  }
}
