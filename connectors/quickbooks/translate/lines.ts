import * as z from 'zod'
import type { ExpenseLine, LineDimensions } from '../../../src/connector-kit/index.ts'
import type { NativeLine, NativeSpending, Reference } from './shapes.ts'
import { centsOf, metadataOf } from './values.ts'

/** Lines that repeat others, or have no amount. */
const NO_LINES = ['SubTotalLineDetail', 'DescriptionOnly', 'DescriptionLineDetail', 'TaxLineDetail']

/**
 * The lines of a document. `Amount` is net of tax in every mode (`GlobalTaxCalculation`), so no tax is removed or added. `sign` is -1 on
 * credits and refunds. A line of an unknown kind counts without an account.
 */
export function linesOf(document: NativeSpending, sign: 1 | -1): readonly ExpenseLine[] {
  return flattened(document.Line ?? []).flatMap((line, index) => {
    const { Amount: amount, DetailType: kind } = line
    if (amount == null || (kind != null && NO_LINES.includes(kind))) return []
    return [lineOf(line, amount, index, document, sign)]
  })
}

function lineOf(line: NativeLine, amount: string, index: number, document: NativeSpending, sign: 1 | -1): ExpenseLine {
  const detail = line.AccountBasedExpenseLineDetail ?? line.ItemBasedExpenseLineDetail
  const tags = {
    class: detail?.ClassRef ?? document.ClassRef,
    department: document.DepartmentRef,
    project: detail?.CustomerRef,
  }
  return {
    // QuickBooks numbers the lines of a stored document. The position replaces a missing number.
    line_id: line.Id ?? `#${index + 1}`,
    account_external_id: line.AccountBasedExpenseLineDetail?.AccountRef?.value ?? null,
    item_external_id: line.ItemBasedExpenseLineDetail?.ItemRef?.value ?? null,
    description: line.Description ?? null,
    amount_cents: centsOf(amount) * sign || 0,
    dimensions: dimensionsOf(tags),
    metadata: metadataOf({
      native_detail_type: line.DetailType,
      native_tax_code: detail?.TaxCodeRef?.value,
      native_tax_inclusive_amount: detail?.TaxInclusiveAmt,
      native_project_id: line.ProjectRef?.value,
      dimension_ids: Object.keys(dimensionIds(tags)).length === 0 ? null : dimensionIds(tags),
    }),
  }
}

/** A bundle contains its lines. Its own amount is their sum. */
function flattened(lines: readonly NativeLine[]): readonly NativeLine[] {
  return lines.flatMap((line) => (line.GroupLineDetail == null ? [line] : flattened(line.GroupLineDetail.Line ?? [])))
}

interface Tags {
  readonly class?: Reference
  readonly department?: Reference
  readonly project?: Reference
}

/** Names of a line's tags. A tag whose name Intuit leaves out keeps its id. */
export function dimensionsOf(tags: Tags): LineDimensions {
  return present(tags, (tag) => tag.name || tag.value)
}

/** The ids behind the names. */
function dimensionIds(tags: Tags): Readonly<Record<string, string>> {
  return present(tags, (tag) => tag.value)
}

const ref = z.object({ value: z.string(), name: z.string().nullish() }).nullish()
const detail = z.object({ ClassRef: ref, CustomerRef: ref }).nullish()
const LINE = z.object({
  DepartmentRef: ref,
  AccountBasedExpenseLineDetail: detail,
  ItemBasedExpenseLineDetail: detail,
})

/** The dimensions of the line itself. Those of its document are added in the translation. */
export function extractDimensions(line: unknown): LineDimensions {
  const { data } = LINE.safeParse(line)
  const found = data?.AccountBasedExpenseLineDetail ?? data?.ItemBasedExpenseLineDetail
  return dimensionsOf({ class: found?.ClassRef, department: data?.DepartmentRef, project: found?.CustomerRef })
}

function present(tags: Tags, read: (tag: NonNullable<Reference>) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tags).flatMap(([name, tag]) => (tag == null ? [] : [[name, read(tag)]])))
}
