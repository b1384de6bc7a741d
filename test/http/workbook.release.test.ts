import { expect, it } from 'vitest'
import { renderXlsx } from '../../src/facades/presentation/workbook/render.ts'
import { META } from './recording-engine.ts'

const ASKED = { call: 'GET /api/customers', request: { params: {}, spec: {} } }

it('a workbook of many rows is refused where too many others wait to be written', async () => {
  const rows = Array.from({ length: 2_001 }, () => ({ name: 'a' }))
  const answer = { data: { total: rows.length, rows }, kind: 'page', columns: ['name'], meta: META } as const
  const asked = await Promise.allSettled(Array.from({ length: 11 }, () => renderXlsx(answer, ASKED, undefined)))
  const refused = asked.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  // One is written, eight wait.
  expect(refused).toHaveLength(2)
  for (const error of refused) expect(error).toMatchObject({ code: 'overloaded', context: { retry_after: 5 } })
  await expect(renderXlsx(answer, ASKED, undefined)).resolves.toBeInstanceOf(Uint8Array)
})
