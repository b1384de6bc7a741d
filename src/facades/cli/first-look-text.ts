import { formatAmount } from './numbers.ts'
import type { FirstLook, InitReport } from './product.ts'
import { tableLines } from './table.ts'
import { recordsText } from './text.ts'

const MRR: ReadonlySet<string> = new Set(['mrr'])

/** What `init` did and found, for people. */
export function initText({ steps, found }: InitReport, bold: boolean): string {
  const done = steps.map((step) => `${step}\n`).join('')
  return found === null ? done : `${foundText(found)}${done}${answerText(found, bold)}`
}

function foundText({ database, engine, tenants, chosen, currencies, base_currency }: FirstLook): string {
  const others = tenants.filter((tenant) => !chosen.includes(tenant))
  const inUse = currencies.map(({ currency, customers }) => `${currency} (${customers} customers)`).join(', ')
  const lines = [
    ['database', database],
    ['engine', engine],
    ['tenants', `${chosen.join(', ') || 'none yet'}${others.length === 0 ? '' : `; not asked: ${others.join(', ')}`}`],
    ['currencies', `${inUse || 'none yet'}; figures in ${base_currency}, or in that of --base-currency`],
  ]
  return rowsText(lines)
}

function answerText({ findings, mrr_cents, missing, mrr_by_currency, base_currency }: FirstLook, bold: boolean): string {
  const wrong = rowsText(findings.map(({ level, name, message }) => [level, name, message]))
  const mrr = mrr_cents === null ? '' : `MRR today: ${formatAmount(mrr_cents, base_currency)} ${base_currency}\n`
  const lacking = missing === null ? '' : `${missing}\n`
  const by =
    mrr_by_currency.length === 0
      ? ''
      : `MRR today, by currency:\n${recordsText(mrr_by_currency, ['currency', 'mrr'], { amounts: MRR, bold })}`
  return `${wrong}${mrr}${lacking}${by}`
}

function rowsText(rows: readonly (readonly string[])[]): string {
  const columns = (rows[0] ?? []).map(() => ({
    title: '',
    align: 'left' as const,
  }))
  return tableLines(columns, rows)
    .slice(1)
    .map((line) => `${line}\n`)
    .join('')
}
