/** Small catalogs as XML for tests: only what a test names, the rest as Kill Bill would accept it. */
interface CatalogParts {
  readonly effectiveDate?: string
  readonly name?: string
  readonly products?: string
  readonly plans?: string
  readonly lists?: string
  /** Billing mode of recurring prices. */
  readonly mode?: 'IN_ADVANCE' | 'IN_ARREAR'
}

interface PlanParts {
  readonly product?: string
  readonly pretty?: string
  readonly existing?: string
  readonly initial?: string
  readonly final?: string
}

interface PhaseParts {
  readonly unit?: string
  readonly number?: number
  readonly period?: string
  readonly prices?: Readonly<Record<string, string>>
  readonly usage?: boolean
}

/** A whole catalog. */
export function catalogXml(parts: CatalogParts = {}): string {
  return `<catalog xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <effectiveDate>${parts.effectiveDate ?? '2024-01-01T00:00:00Z'}</effectiveDate>
  <catalogName>${parts.name ?? 'test'}</catalogName>
  <recurringBillingMode>${parts.mode ?? 'IN_ADVANCE'}</recurringBillingMode>
  <currencies><currency>USD</currency></currencies>
  <products>${parts.products ?? '<product name="Thing"><category>BASE</category></product>'}</products>
  <plans>${parts.plans ?? ''}</plans>
  <priceLists>${parts.lists ?? '<defaultPriceList name="DEFAULT"><plans/></defaultPriceList>'}</priceLists>
</catalog>`
}

/** A plan with optional initial phases and a final one (a free EVERGREEN phase by default). */
export function planXml(name: string, parts: PlanParts = {}): string {
  const existing =
    parts.existing === undefined
      ? ''
      : `<effectiveDateForExistingSubscriptions>${parts.existing}</effectiveDateForExistingSubscriptions>`
  const pretty = parts.pretty === undefined ? '' : ` prettyName="${parts.pretty}"`
  const final = (parts.final ?? phaseXml('EVERGREEN', {}))
    .replace(/^<phase/, '<finalPhase')
    .replace(/<\/phase>$/, '</finalPhase>')
  return `<plan name="${name}"${pretty}>${existing}<product>${parts.product ?? 'Thing'}</product><initialPhases>${parts.initial ?? ''}</initialPhases>${final}</plan>`
}

/** A phase; with a period it has a recurring section, with no prices an empty list. */
export function phaseXml(type: string, parts: PhaseParts): string {
  const number = parts.number === undefined ? '' : `<number>${parts.number}</number>`
  const prices = Object.entries(parts.prices ?? {}).map(
    ([currency, value]) => `<price><currency>${currency}</currency><value>${value}</value></price>`,
  )
  const recurring =
    parts.period === undefined
      ? ''
      : `<recurring><billingPeriod>${parts.period}</billingPeriod><recurringPrice>${prices.join('')}</recurringPrice></recurring>`
  const usage = parts.usage ? '<usages><usage name="u" billingMode="IN_ARREAR" usageType="CONSUMABLE"/></usages>' : ''
  return `<phase type="${type}"><duration><unit>${parts.unit ?? 'UNLIMITED'}</unit>${number}</duration>${recurring}${usage}</phase>`
}
