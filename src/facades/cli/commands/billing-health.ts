import { unitsOf } from '../../../core/currency.ts'
import { isObject } from '../../../core/json.ts'
import type { Answer } from '../../../engine/engine.ts'
import { acceptedByList, HEALTH_INPUTS } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { rawRequest } from '../../presentation/raw-request.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import { renderXlsx } from '../../presentation/workbook/render.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type Invocation, optionValue, UsageError } from '../command.ts'
import { COMMON_OPTIONS, optionOf, optionOfField } from '../options.ts'
import { chooseFormat, writeAnswer } from '../output.ts'
import { MARK_COMMANDS } from './billing-marks.ts'
import { explained, pairsOf } from './question.ts'

/** Findings that the text shows. */
const SHOWN = 10
/** The marks of findings that the sums count, which the text shows unless the call names others. */
const COUNTED = ['none', 'seen']
/** Exit code if the amounts are above the limit. */
const ABOVE = 5

const CLASS_COLUMNS = ['class', 'findings', 'customers', 'days', 'difference_base_cents', 'monthly_base_cents']
const FINDING_COLUMNS = ['class', 'customer_name', 'subscription_id', 'first_day', 'last_day', 'monthly_base_cents', 'sentence']

const OPTIONS = [
  ...HEALTH_INPUTS.fields.flatMap(({ key }) => optionOfField(key) ?? []),
  ...acceptedByList(HEALTH_INPUTS).flatMap((parameter) => optionOf(parameter) ?? []),
]

/** Agreed amounts compared with billed amounts, for a reader and for a scheduled check. */
export const BILLING_HEALTH_COMMAND: Command = {
  name: 'billing-health',
  description: 'Compare what customers agreed to with what is billed',
  options: [...OPTIONS.filter((option) => !COMMON_OPTIONS.some((common) => common === option)), 'fail-above', 'explain'],
  run: billingHealth,
  subCommands: MARK_COMMANDS,
}

async function billingHealth({ input, io, product }: Invocation): Promise<number> {
  const limit = limitOf(optionValue(input, 'fail-above'))
  const { format, issues } = chooseFormat(optionValue(input, 'format'))
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    const raw = rawRequest(pairsOf(input))
    const { money, ...params } = raw.params
    const request = { ...raw, params: format === 'text' ? params : raw.params, issues: [...raw.issues, ...issues] }
    const options = { signal: io.stop, ...explained(input, io) }
    const health = await askOperation(opened.engine.billingHealth, request, options)
    const counted = isObject(raw.spec['filters']) && 'mark' in raw.spec['filters'] ? {} : { mark: COUNTED }
    const largest = { ...request, params: { ...counted, ...request.params, limit: String(SHOWN) } }
    const findings = format === 'text' ? await askOperation(opened.engine.billingFindings, largest, options) : undefined
    await writeAnswer(health, format, io, {
      text: (answer, bold, width) =>
        `${classesText(answer, bold, width)}${findings === undefined ? '' : findingsText(findings, bold, width)}`,
      workbook: (found) => renderXlsx(found, { call: 'plumbline billing-health', request }, undefined),
    })
    if (limit !== undefined) io.stderr.write(leftOutText(health))
    return isAbove(health, limit) ? ABOVE : 0
  } finally {
    await opened.close()
  }
}

function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,15}$/.test(given)) throw new UsageError([`--fail-above must be a whole number of cents, not "${given}"`])
  return Number(given)
}

/** The number of findings that the limit leaves out; nothing if there are none. */
function leftOutText({ data }: Answer): string {
  const { findings } = markedIn(data)
  if (findings === 0) return ''
  return findings === 1
    ? '1 finding is marked as no error and left out.\n'
    : `${findings} findings are marked as no error and left out.\n`
}

function markedIn(data: unknown): { readonly findings: number; readonly at_stake_base_cents: unknown } {
  const marked = isObject(data) && isObject(data['marked']) ? data['marked'] : {}
  return { findings: Number(marked['findings'] ?? 0), at_stake_base_cents: marked['at_stake_base_cents'] }
}

/** True if the amount at stake is above the limit, or not known. Amounts of findings do not cancel each other out. */
function isAbove({ data }: Answer, limit: number | undefined): boolean {
  if (limit === undefined || !isObject(data)) return false
  const { at_stake_base_cents: cents } = data
  return cents === null || Number(cents) > limit
}

function classesText(answer: Answer, bold: boolean, width?: number): string {
  const data = isObject(answer.data) ? answer.data : {}
  const rows = Array.isArray(data['classes']) ? data['classes'] : []
  const days = `${String(data['healthy_days'])} of ${String(data['subscription_days'])} days are billed as agreed, from ${String(data['start'])} to ${String(data['end'])}.\n${unpricedText(data)}${notDueText(data)}${overdueText(data, answer)}${markedText(data, answer)}`
  return rows.length === 0 ? days : `${days}\n${recordsText(rows, CLASS_COLUMNS, { ...reading(answer), bold, width })}`
}

function unpricedText({ unpriced_days: days, unpriced_subscriptions: subscriptions }: Readonly<Record<string, unknown>>): string {
  if (days === 0) return ''
  return `${String(days)} days of ${String(subscriptions)} subscriptions cannot be compared, because a price is unknown.\n`
}

function notDueText({ not_due_days: days }: Readonly<Record<string, unknown>>): string {
  return days === 0 ? '' : `${String(days)} days are not due yet, because their period is billed after its end.\n`
}

function overdueText(data: Readonly<Record<string, unknown>>, { meta: { base_currency: currency } }: Answer): string {
  const { overdue_block_days: days, overdue_block_base_cents: cents } = data
  if (days === 0) return ''
  const amount = typeof cents === 'number' ? `${unitsOf(cents, currency)} ${currency}` : 'an unknown amount'
  return `${String(days)} days were billed in advance to overdue customers whose service has stopped: ${amount}, in no other sum.\n`
}

function markedText(data: Readonly<Record<string, unknown>>, { meta: { base_currency: currency } }: Answer): string {
  const { findings, at_stake_base_cents: cents } = markedIn(data)
  const seen = Number(data['seen'])
  const amount = typeof cents === 'number' ? `${unitsOf(cents, currency)} ${currency}` : 'an unknown amount'
  return [
    ...(findings === 0 ? [] : [`Marked as no error: ${findings}, with ${amount} at stake, in no other sum.\n`]),
    ...(seen === 0 ? [] : [`Marked as seen: ${seen}.\n`]),
  ].join('')
}

function findingsText(answer: Answer, bold: boolean, width?: number): string {
  const data = isObject(answer.data) ? answer.data : {}
  const rows = Array.isArray(data['rows']) ? data['rows'] : []
  const isLinked = rows.some((row: unknown) => isObject(row) && row['admin_url'] !== null)
  const columns = isLinked ? [...FINDING_COLUMNS, 'admin_url'] : FINDING_COLUMNS
  return rows.length === 0 ? '' : `\n${recordsText(rows, columns, { ...reading(answer), bold, width })}`
}

function reading(answer: Answer) {
  return { units: unitsOfColumns(answer), currency: answer.meta.base_currency }
}
