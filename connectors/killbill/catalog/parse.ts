import { alignedPhases, alignmentCases } from './alignment.ts'
import type {
  CatalogDuration,
  CatalogPhase,
  CatalogPlan,
  CatalogProduct,
  CatalogRecurring,
  CatalogVersion,
  PriceList,
  UnreadablePrice,
} from './catalog-version.ts'
import { BILLING_PERIOD_WORDS } from './phase-facts.ts'
import { attributeOf, childOf, childrenOf, childText, parseXml, textOf, type XmlNode } from './xml.ts'

/**
 * Most levels from the root of a text to a version. The engine's REST interface returns `catalogs/versions/version`. A list of
 * catalogs has one level less.
 */
const DEEPEST_VERSION = 3

/**
 * Versions in an XML text: one for a `catalog`, all for the list that the server's REST endpoint returns (KB 3.9). Template catalogs (no
 * products, plans or currencies) are left out. Throws Error with a reason if the text is no catalog.
 */
export function parseCatalog(xml: string): CatalogVersion[] {
  const nodes = versionsIn(parseXml(xml), DEEPEST_VERSION)
  if (nodes.length === 0) throw new Error('no catalog element with an effectiveDate')
  return nodes.filter((node) => !isTemplate(node)).map(versionOf)
}

function versionsIn(node: XmlNode, levels: number): XmlNode[] {
  if (childOf(node, 'effectiveDate') !== undefined) return [node]
  return levels > 1 ? node.children.flatMap((child) => versionsIn(child, levels - 1)) : []
}

function listOf(node: XmlNode | undefined, listName: string, name: string): XmlNode[] {
  return childrenOf(node, listName).flatMap((list) => childrenOf(list, name))
}

function isTemplate(node: XmlNode): boolean {
  const lists = [listOf(node, 'products', 'product'), listOf(node, 'plans', 'plan'), listOf(node, 'currencies', 'currency')]
  return lists.every((list) => list.length === 0)
}

function versionOf(node: XmlNode): CatalogVersion {
  const lists = priceListsOf(node)
  const unreadable: UnreadablePrice[] = []
  const products = byName(listOf(node, 'products', 'product').map(productOf))
  const cases = alignmentCases(node)
  const plans = listOf(node, 'plans', 'plan').map((plan) => planOf(plan, { lists, mode: modeOf(node), unreadable }))
  return {
    effective_at: instantOf(childText(node, 'effectiveDate') ?? ''),
    name: childText(node, 'catalogName') ?? '',
    products,
    plans: byName(plans.map((plan) => ({ ...plan, phases: alignedPhases(plan, products.get(plan.product)?.category, cases) }))),
    unreadable,
  }
}

/** If a name occurs twice, the first entry counts, as in Kill Bill's lookups. */
function byName<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T> {
  return firstOf(entries.map((entry) => [entry.name, entry]))
}

function firstOf<T>(entries: readonly (readonly [string, T])[]): Map<string, T> {
  const first = new Map<string, T>()
  for (const [key, entry] of entries) if (!first.has(key)) first.set(key, entry)
  return first
}

function priceListsOf(node: XmlNode): Map<string, string> {
  const root = childOf(node, 'priceLists')
  const lists = [...childrenOf(root, 'defaultPriceList'), ...childrenOf(root, 'childPriceList')]
  return firstOf(
    lists.flatMap((list) =>
      listOf(list, 'plans', 'plan').map((plan) => [textOf(plan) ?? '', attributeOf(list, 'name') ?? 'DEFAULT'] as const),
    ),
  )
}

function productOf(node: XmlNode): CatalogProduct {
  return {
    name: attributeOf(node, 'name') ?? '',
    pretty_name: attributeOf(node, 'prettyName'),
    category: childText(node, 'category') ?? '',
    available: listOf(node, 'available', 'addonProduct').flatMap((product) => textOf(product) ?? []),
    included: listOf(node, 'included', 'addonProduct').flatMap((product) => textOf(product) ?? []),
  }
}

/** The billing mode of recurring prices that an element states. */
function modeOf(node: XmlNode): string | null {
  return childText(node, 'recurringBillingMode')
}

interface PlanContext {
  /** The price list of each plan. */
  readonly lists: ReadonlyMap<string, string>
  /** The billing mode of the version, for plans without their own. */
  readonly mode: string | null
  readonly unreadable: UnreadablePrice[]
}

function planOf(node: XmlNode, { lists, mode, unreadable }: PlanContext): CatalogPlan {
  const name = attributeOf(node, 'name') ?? ''
  const existing = childText(node, 'effectiveDateForExistingSubscriptions')
  const refuse: Refuse = (price) => unreadable.push({ plan: name, ...price })
  return {
    name,
    pretty_name: attributeOf(node, 'prettyName'),
    product: childText(node, 'product') ?? '',
    price_list: lists.get(name) ?? null,
    in_arrears: (modeOf(node) ?? mode) === 'IN_ARREAR',
    existing_from: existing === null ? null : instantOf(existing),
    phases: [
      ...listOf(node, 'initialPhases', 'phase').map((phase) => phaseOf(phase, false, refuse)),
      ...childrenOf(node, 'finalPhase').map((phase) => phaseOf(phase, true, refuse)),
    ],
  }
}

type Refuse = (price: Omit<UnreadablePrice, 'plan'>) => void

function phaseOf(node: XmlNode, isFinal: boolean, refuse: Refuse): CatalogPhase {
  const type = attributeOf(node, 'type') ?? ''
  return {
    type,
    is_final: isFinal,
    duration: durationOf(childOf(node, 'duration')),
    recurring: recurringOf(childOf(node, 'recurring'), (price) => refuse({ phase: type, ...price })),
    fixed: fixedOf(childOf(node, 'fixed')),
    has_usage: listOf(node, 'usages', 'usage').length > 0,
    alignment: 'ACCOUNT',
  }
}

function durationOf(node: XmlNode | undefined): CatalogDuration {
  const text = childText(node, 'number')
  return {
    unit: childText(node, 'unit') ?? 'UNLIMITED',
    number: text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null,
  }
}

/** A price that cannot be read counts as listed without a value. */
function fixedOf(node: XmlNode | undefined): PriceList | null {
  if (node === undefined) return null
  const prices = listOf(node, 'fixedPrice', 'price').map((price) => {
    const read = readPrice(childText(price, 'value') ?? '')
    return [childText(price, 'currency') ?? '', 'price' in read ? read.price : null] as const
  })
  return firstOf(prices)
}

function recurringOf(
  node: XmlNode | undefined,
  refuse: (price: Omit<UnreadablePrice, 'plan' | 'phase'>) => void,
): CatalogRecurring | null {
  if (node === undefined) return null
  const prices = listOf(node, 'recurringPrice', 'price').map((price) => {
    const currency = childText(price, 'currency') ?? ''
    const text = childText(price, 'value')
    if (text === null) return [currency, null] as const
    const read = readPrice(text)
    if ('price' in read) return [currency, read.price] as const
    refuse({ currency, text, reason: read.reason })
    return [currency, null] as const
  })
  const billing_period = childText(node, 'billingPeriod') ?? 'NO_BILLING_PERIOD'
  if (!BILLING_PERIOD_WORDS.includes(billing_period))
    refuse({ currency: null, text: billing_period, reason: `is none of Kill Bill (${BILLING_PERIOD_WORDS.join(', ')})` })
  return { billing_period, prices: firstOf(prices) }
}

/** ISO date-time. Without an offset it is GMT. Rounded up to the whole second, because engine instants have no fraction. */
function instantOf(text: string): Date {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim())
  if (iso === null) throw new Error(`not a date: ${JSON.stringify(text)}`)
  const [, day, minute = '00:00', second = ':00', offset = 'Z'] = iso
  const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
  const instant = new Date(`${day}T${minute}${second}${zone}`)
  if (Number.isNaN(instant.getTime())) throw new Error(`not a date: ${JSON.stringify(text)}`)
  return new Date(Math.ceil(instant.getTime() / 1000) * 1000)
}

/** The engine's form of an amount: `[+-]?(digits with an optional point)`, like decimals in XML Schema. Blanks around it are ignored. */
const XML_DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/

/** Limits within which the databases compare without rounding. */
const MOST_WHOLE_DIGITS = 15
const MOST_DECIMALS = 12

/** A price as plain digits, or the reason why it is no price. */
type ReadPrice = { readonly price: string } | { readonly reason: string }

/** Reads a price. `.95` is 0.95, `5.` is 5, `+5.00` is 5.00, `-0` is 0. The engine has no negative prices and no exponents. */
function readPrice(text: string): ReadPrice {
  const match = XML_DECIMAL.exec(text.trim())
  if (match === null) return { reason: 'is no decimal number' }
  const [, sign = '', whole = '', fraction = match[4] ?? ''] = match
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  const decimals = fraction.length > MOST_DECIMALS ? fraction.replace(/0+$/, '') : fraction
  if (digits.length > MOST_WHOLE_DIGITS || decimals.length > MOST_DECIMALS)
    return { reason: `has more than ${MOST_WHOLE_DIGITS} digits before the point or ${MOST_DECIMALS} after it` }
  const price = decimals === '' ? digits : `${digits}.${decimals}`
  if (sign === '-' && /[1-9]/.test(price)) return { reason: 'is negative' }
  return { price }
}
