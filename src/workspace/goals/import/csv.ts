import type { CsvForm } from '../../../core/csv-form.ts'
import type { GoalRow } from '../../../ports/goal-store.ts'
import { csvRows, withPoint } from '../../csv/records.ts'
import type { CsvSource } from '../../csv/text.ts'

/**
 * Reads the rows of a CSV file of goals, streamed: `metric`, `period`, `value`, and optionally `query_type`. AppError `invalid_csv`,
 * `payload_too_large`.
 */
export async function* readGoalFile(file: CsvSource, form: CsvForm, maxBytes: number): AsyncGenerator<GoalRow> {
  for await (const { row, cell, separator } of csvRows(file, ['metric', 'period', 'value'], ['query_type'], {
    ...form,
    maxBytes,
  })) {
    const [, number = '', percent = ''] = /^(.*?)\s*(%?)$/s.exec(cell('value')) ?? []
    const value = `${withPoint(number, separator)}${percent}`
    yield { row, metric: cell('metric'), query_type: cell('query_type'), period: cell('period'), value }
  }
}
