import type {
  CatalogDuration,
  CatalogPhase,
  CatalogPlan,
  CatalogProduct,
  CatalogRecurring,
  CatalogVersion,
} from './catalog-version.ts'
import { attributeOf, childNames, childOf, childrenOf, childText, parseXml, textOf, type XmlNode } from './xml.ts'

/**
 * Versions in an XML text: one for a `catalog`, all for the list that the server's REST endpoint returns (KB 3.9). Template
 * catalogs (no products, plans or currencies) are left out. Throws Error with a reason where the text is no catalog.
 */
export function parseCatalog(xml: string): CatalogVersion[] {
  const document = parseXml(xml)
  const roots = childNames(document).flatMap((name) => childrenOf(document, name))
  const nodes = roots.flatMap((root) => (childOf(root, 'effectiveDate') === undefined ? entriesOf(root) : [root]))
  if (nodes.length === 0) throw new Error('no catalog element with an effectiveDate')
  return nodes.filter((node) => !isTemplate(node)).map(versionOf)
}

function entriesOf(root: XmlNode): XmlNode[] {
  return childNames(root)
    .flatMap((name) => childrenOf(root, name))
    .filter((node) => childOf(node, 'effectiveDate') !== undefined)
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
  return {
    effective_at: instantOf(childText(node, 'effectiveDate') ?? ''),
    name: childText(node, 'catalogName') ?? '',
    products: byName(listOf(node, 'products', 'product').map(productOf)),
    plans: byName(listOf(node, 'plans', 'plan').map((plan) => planOf(plan, lists))),
  }
}

/** Where a name stands twice, the first counts, as in Kill Bill's lookups. */
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

function planOf(node: XmlNode, listByPlan: ReadonlyMap<string, string>): CatalogPlan {
  const name = attributeOf(node, 'name') ?? ''
  const existing = childText(node, 'effectiveDateForExistingSubscriptions')
  return {
    name,
    pretty_name: attributeOf(node, 'prettyName'),
    product: childText(node, 'product') ?? '',
    price_list: listByPlan.get(name) ?? null,
    existing_from: existing === null ? null : instantOf(existing),
    phases: [
      ...listOf(node, 'initialPhases', 'phase').map((phase) => phaseOf(phase, false)),
      ...childrenOf(node, 'finalPhase').map((phase) => phaseOf(phase, true)),
    ],
  }
}

function phaseOf(node: XmlNode, isFinal: boolean): CatalogPhase {
  return {
    type: attributeOf(node, 'type') ?? '',
    is_final: isFinal,
    duration: durationOf(childOf(node, 'duration')),
    recurring: recurringOf(childOf(node, 'recurring')),
    has_usage: listOf(node, 'usages', 'usage').length > 0,
  }
}

function durationOf(node: XmlNode | undefined): CatalogDuration {
  const text = childText(node, 'number')
  return {
    unit: childText(node, 'unit') ?? 'UNLIMITED',
    number: text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null,
  }
}

function recurringOf(node: XmlNode | undefined): CatalogRecurring | null {
  if (node === undefined) return null
  const prices = listOf(node, 'recurringPrice', 'price').map(
    (price) => [childText(price, 'currency') ?? '', decimalOf(childText(price, 'value'))] as const,
  )
  return { billing_period: childText(node, 'billingPeriod') ?? 'NO_BILLING_PERIOD', prices: firstOf(prices) }
}

/** Digits of a price as written; anything that is not a plain decimal is no price. */
function decimalOf(text: string | null): string | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? text : null
}

/** ISO date-time; without offset GMT. Cut up to the whole second, because engine instants have no fraction. */
function instantOf(text: string): Date {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim())
  if (iso === null) throw new Error(`not a date: ${JSON.stringify(text)}`)
  const [, day, minute = '00:00', second = ':00', offset = 'Z'] = iso
  const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
  const instant = new Date(`${day}T${minute}${second}${zone}`)
  if (Number.isNaN(instant.getTime())) throw new Error(`not a date: ${JSON.stringify(text)}`)
  return new Date(Math.ceil(instant.getTime() / 1000) * 1000)
}
