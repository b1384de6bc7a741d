import { trino } from '../../../../src/compiler/dialects/trino.ts'
import { literalText } from '../../../../src/compiler/literal.ts'
import { MOST_STAGES } from '../../../../src/databases/trino/session.ts'
import type { Executor } from '../../../../src/ports/executor.ts'
import type { Cell, Row } from '../../../../src/ports/rows.ts'
import type { TrinoServer } from './trino.ts'

interface Answer {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly nextUri?: string
  readonly error?: { readonly errorName: string; readonly message: string }
}

/** Runs one statement. */
export async function queryTrino({ origin }: Pick<TrinoServer, 'origin'>, schema: string, text: string): Promise<readonly Row[]> {
  const headers = {
    'x-trino-user': 'plumbline',
    'x-trino-catalog': 'lake',
    'x-trino-schema': schema,
    'x-trino-time-zone': 'UTC',
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    'x-trino-session': `query_max_stage_count=${MOST_STAGES}`,
  }
  const rows: Row[] = []
  let response = await fetch(`${origin}/v1/statement`, { method: 'POST', headers, body: text })
  for (;;) {
    const body = JSON.parse((await response.text()).replace(/(?<=[[,])-?\d{16,}(?=[\],])/g, '"$&"')) as Answer
    if (body.error !== undefined) throw new Error(`${body.error.errorName}: ${body.error.message}`)
    for (const cells of body.data ?? [])
      rows.push(Object.fromEntries((body.columns ?? []).map(({ name, type }, index) => [name, cellOf(cells[index], type)])))
    if (body.nextUri === undefined) return rows
    response = await fetch(body.nextUri, { headers })
  }
}

function cellOf(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null
  if (type.startsWith('timestamp'))
    return String(value).replace(/\.(\d*?)0*$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`))
  return type === 'bigint' || type.startsWith('decimal') ? String(value) : (value as Cell)
}

/** Snapshots over Trino. */
export function trinoExecutor(server: TrinoServer, schema: string): Pick<Executor, 'withSnapshot'> {
  return {
    withSnapshot: (work) => {
      const query = (statement: Parameters<typeof literalText>[0]) => queryTrino(server, schema, literalText(statement, 'trino'))
      return work({
        dialect: trino,
        query,
        async *stream(statement) {
          yield* await query(statement)
        },
      })
    },
  }
}
