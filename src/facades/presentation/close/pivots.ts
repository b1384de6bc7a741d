import Big from 'big.js'
import type { Answer, AnswerField } from '../../../engine/engine.ts'
import { recordsOf } from '../table.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

/** The table of a statement as finance lays it out: ages and months are columns. Others stay. */
export function pivoted(file: string, answer: Answer, answers: ReadonlyMap<string, Answer>): Answer {
  if (file === 'receivables-by-customer') return byAge(answer, answers)
  if (file === 'mrr-bridge') return byStep(answer)
  return file === 'waterfall' ? byMonth(answer) : answer
}

/** A row for each step, with its label and amount. */
function byStep(answer: Answer): Answer {
  const [amounts = {}] = recordsOf(answer)
  const labels = new Map(answer.meta.fields.map(({ name, label }) => [name, label]))
  const rows = answer.columns.map((step) => ({ step, label: labels.get(step) ?? step, amount: amounts[step] }))
  const text = (name: string, description: string): AnswerField => ({ name, label: name, holds: 'other', description })
  const fields = [
    text('step', 'Step from MRR to recognized revenue'),
    text('label', 'Its label'),
    {
      name: 'amount',
      label: 'amount',
      holds: 'amount',
      description: 'Amount of the step; the first is MRR, the last recognized revenue',
    },
  ] as const
  return { ...answer, data: rows, kind: 'rows', columns: fields.map(({ name }) => name), meta: { ...answer.meta, fields } }
}

/** A row for each customer and currency: its balance of each age, and all of them. */
function byAge(answer: Answer, answers: ReadonlyMap<string, Answer>): Answer {
  const ages = recordsOf(answers.get('receivables') ?? answer).map((row) => String(row['age']))
  const keys = ['customer_id', 'customer_name', 'currency']
  const columns = [...new Set(ages)]
  const rows = wide(recordsOf(answer), keys, 'age', 'balance')
  const totals = rows.map((row) => ({ ...row, total: sum(columns.map((age) => row[age])) }))
  return tableOf(answer, totals, keys, [...columns, 'total'])
}

/** A row for each month of posting: what each month recognizes, and what was booked, adjusted and remains. */
function byMonth(answer: Answer): Answer {
  const records = recordsOf(answer)
  const months = [...new Set(records.map((row) => String(row['recognized_month']).slice(0, 7)))].sort()
  const named: Records = records.map((row) => ({ ...row, recognized_month: String(row['recognized_month']).slice(0, 7) }))
  const shared = ['booked', 'adjusted', 'remaining']
  const first = new Map(named.map((row) => [row['booked_month'], row]))
  const rows = wide(named, ['booked_month'], 'recognized_month', 'recognized').map((row) => {
    const own = first.get(row['booked_month'])
    return { ...row, ...Object.fromEntries(shared.map((name) => [name, own?.[name]])) }
  })
  return tableOf(answer, rows, ['booked_month'], [...months, ...shared])
}

/** A row for each combination of `keys`, with the amounts by the values of `column`. */
function wide(records: Records, keys: readonly string[], column: string, amount: string): Record<string, unknown>[] {
  const rows = new Map<string, Record<string, unknown>>()
  for (const record of records) {
    const id = JSON.stringify(keys.map((key) => record[key]))
    const row = rows.get(id) ?? Object.fromEntries(keys.map((key) => [key, record[key]]))
    row[String(record[column])] = record[amount]
    rows.set(id, row)
  }
  return [...rows.values()]
}

function sum(amounts: readonly unknown[]): string {
  const given = amounts.filter((amount) => typeof amount === 'string')
  const digits = Math.max(0, ...given.map((amount) => amount.split('.')[1]?.length ?? 0))
  return given.reduce((total, amount) => total.plus(amount), new Big(0)).toFixed(digits)
}

function tableOf(answer: Answer, data: Records, keys: readonly string[], amounts: readonly string[]): Answer {
  const known = new Map(answer.meta.fields.map((field) => [field.name, field]))
  const amount = (name: string): AnswerField => known.get(name) ?? { name, label: name, holds: 'amount', description: name }
  const fields = [...keys.flatMap((key) => known.get(key) ?? []), ...amounts.map(amount)]
  return { ...answer, data, kind: 'rows', columns: fields.map(({ name }) => name), meta: { ...answer.meta, fields } }
}
