import { ConfigurationError } from '../../../core/errors.ts'
import { tableLines } from '../../presentation/text-table.ts'
import { type Command, type Invocation, optionValue } from '../command.ts'
import { writeRecords } from '../output.ts'
import type { ProductLake, PublicationFacts, PublicationStatements } from '../product.ts'

const EXIT_UNPROVEN = 5
const NO_LAKE = 'lake.schema: names no schema for publications, so there is no lake (docs/lake.md)'

async function withLake<T>({ input, product }: Invocation, work: (lake: ProductLake) => Promise<T>): Promise<T> {
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    if (opened.lake === undefined) throw new ConfigurationError([NO_LAKE])
    return await work(opened.lake)
  } finally {
    await opened.close()
  }
}

const publishCommand: Command = {
  name: 'publish',
  description: 'Make a publication in the lake: the tables from which all services on it answer',
  options: ['dry-run'],
  examples: ['publish', 'publish --dry-run --format json'],
  run: (invocation) =>
    withLake(invocation, async (lake) => {
      const { input, io } = invocation
      if (input.flags.has('dry-run')) {
        const plan = await lake.plan(io.stop)
        writeRecords({ json: plan, rows: plan.statements, columns: ['table', 'text'], text: planText(plan) }, input, io)
        return 0
      }
      const made = await lake.publish((text) => void io.stderr.write(`${text}\n`), io.stop)
      if ('faults' in made) {
        const rows = made.faults.map((fault) => ({ fault }))
        writeRecords({ json: made, rows, columns: ['fault'], text: faultsText(made.faults) }, input, io)
        return EXIT_UNPROVEN
      }
      writeRecords({ json: made, rows: [rowOf(made)], columns: COLUMNS, text: madeText(made) }, input, io)
      return 0
    }),
}

const lakeCommand: Command = {
  name: 'lake',
  description: 'List the publications in the lake, the newest first',
  options: [],
  run: (invocation) =>
    withLake(invocation, async (lake) => {
      const publications = await lake.list()
      const rows = publications.map(rowOf)
      const titles = COLUMNS.map((title) => ({ title, align: title === 'rows' ? ('right' as const) : ('left' as const) }))
      const lines = tableLines(
        titles,
        rows.map((row) => [row.id, row.data_through ?? 'unknown', row.made_at, String(row.rows)]),
      )
      const text =
        rows.length === 0 ? 'There is no publication. Run plumbline publish.\n' : lines.map((line) => `${line}\n`).join('')
      writeRecords({ json: publications, rows, columns: COLUMNS, text }, invocation.input, invocation.io)
      return 0
    }),
}

const COLUMNS = ['id', 'data_through', 'made_at', 'rows']

function rowOf({ id, data_through, made_at, rows }: PublicationFacts) {
  return { id, data_through, made_at, rows: total(rows) }
}

function total(rows: PublicationFacts['rows']): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

function madeText({ id, now, rows }: PublicationFacts): string {
  return `${id} holds ${total(rows)} rows of ${Object.keys(rows).length} relations, as of ${now}.\n`
}

function faultsText(faults: readonly string[]): string {
  const lines = faults.map((fault) => `  ${fault}\n`).join('')
  return `The tables contradict each other, so the publication is removed and the earlier one stays:\n${lines}`
}

function planText({ now, statements, versions }: PublicationStatements): string {
  const pinned = Object.values(versions).filter((version) => version !== null).length
  const tables = statements.map(({ table, text }) => `  ${table} (${text.length} characters)\n`).join('')
  const read = `${Object.keys(versions).length} billing tables are read, ${pinned} of them at a fixed Iceberg snapshot`
  return `${read}, as of ${now}.\n${statements.length} statements make these tables. --format json shows their text.\n${tables}`
}

/** The publications of the lake. */
export const LAKE_COMMANDS: readonly Command[] = [publishCommand, lakeCommand]
