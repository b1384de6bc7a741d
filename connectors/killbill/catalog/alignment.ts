import { BILLING_ALIGNMENTS, type BillingAlignment, type CatalogPhase, type CatalogPlan } from './catalog-version.ts'
import { childrenOf, childText, type XmlNode } from './xml.ts'

/** A case of the rules of billing alignment: the values that it asks for, by element, and the result. */
interface AlignmentCase {
  readonly asked: Readonly<Record<string, string>>
  readonly alignment: BillingAlignment
}

const CONDITIONS = ['phaseType', 'product', 'productCategory', 'billingPeriod', 'priceList'] as const

/** The rules of billing alignment of a version, in their order. Cases with another result are left out. */
export function alignmentCases(version: XmlNode): readonly AlignmentCase[] {
  const lists = childrenOf(version, 'rules').flatMap((rules) => childrenOf(rules, 'billingAlignment'))
  return lists
    .flatMap((list) => childrenOf(list, 'billingAlignmentCase'))
    .flatMap((node) => {
      const alignment = BILLING_ALIGNMENTS.find((word) => word === childText(node, 'alignment'))
      if (alignment === undefined) return []
      const asked = CONDITIONS.flatMap((name) => {
        const value = childText(node, name)
        return value === null ? [] : [[name, value] as const]
      })
      return [{ asked: Object.fromEntries(asked), alignment }]
    })
}

/** The phases of a plan with the alignment of the first case whose conditions all hold. The engine's default is the account. */
export function alignedPhases(
  { product, price_list, phases }: Pick<CatalogPlan, 'product' | 'price_list' | 'phases'>,
  category: string | undefined,
  cases: readonly AlignmentCase[],
): readonly CatalogPhase[] {
  const final = phases.find((phase) => phase.is_final)
  const facts = {
    product,
    productCategory: category ?? '',
    billingPeriod: final?.recurring?.billing_period ?? 'NO_BILLING_PERIOD',
    priceList: price_list ?? 'DEFAULT',
  }
  return phases.map((phase) => {
    const own: Readonly<Record<string, string>> = { ...facts, phaseType: phase.type }
    const found = cases.find(({ asked }) => Object.entries(asked).every(([name, value]) => own[name] === value))
    return found === undefined ? phase : { ...phase, alignment: found.alignment }
  })
}
