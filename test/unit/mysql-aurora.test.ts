import { describe, expect, it } from 'vitest'
import { mysql as dialect } from '../../src/compiler/dialects/mysql.ts'
import { InternalError } from '../../src/core/errors.ts'
import { mysqlState } from '../../src/databases/mysql/state.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

const AT = '2025-06-05 12:00:00'
const UNTOLD = 'the server does not report how far it is behind'

type Member = readonly [isWriter: boolean, isOwn: boolean, lag: string | null]

// No server that a test can start has these tables.
function instance(version: string, status: readonly Member[] | undefined): Snapshot {
  const answers: readonly (readonly [RegExp, () => readonly Row[]])[] = [
    [/@@innodb_read_only/, () => [{ version, is_read_only: '0', is_innodb_read_only: '1', read_at: AT }]],
    [/aurora\\_version/, () => [{ Variable_name: 'aurora_version', Value: '3.04.0' }]],
    [
      /replica_host_status/,
      () => {
        if (status === undefined) throw new InternalError('The database refused "plumbline state" (ER_UNKNOWN_TABLE).')
        return status.map(([isWriter, isOwn, lag]) => ({
          is_writer: isWriter ? '1' : '0',
          is_own: isOwn ? '1' : '0',
          lag_seconds: lag,
        }))
      },
    ],
  ]
  return {
    dialect,
    async query({ text }) {
      const answer = answers.find(([pattern]) => pattern.test(text))
      if (answer === undefined) throw new Error(`nobody asks an instance of Aurora: ${text}`)
      return answer[1]()
    },
    stream: () => {
      throw new Error('nothing streams')
    },
  }
}

const stateOf = (status: readonly Member[] | undefined, version = '8.0.28') => mysqlState(instance(version, status))
const unknown = (doubt: string) => ({ role: 'replica', lag_seconds: null, data_through: null, doubt })

describe('a reader of Aurora MySQL', () => {
  it('tells its lag, whatever the others are', async () => {
    const others: readonly Member[] = [
      [true, false, '0.0000'],
      [false, false, '900.0000'],
    ]
    const known = { role: 'replica', doubt: null, version: 'MySQL 8.0.28 (Aurora 3.04.0)' }
    expect(await stateOf([...others, [false, true, '0.0194']])).toEqual({
      ...known,
      lag_seconds: 0,
      data_through: '2025-06-05 11:59:59',
    })
    expect(await stateOf([...others, [false, true, '400.5']])).toEqual({
      ...known,
      lag_seconds: 400,
      data_through: '2025-06-05 11:53:19',
    })
  })

  it('is behind by an unknown time where that is not told', async () => {
    expect(await stateOf(undefined)).toMatchObject(unknown(UNTOLD))
    expect(await stateOf([])).toMatchObject(unknown(UNTOLD))
    expect(await stateOf([[true, false, '0']])).toMatchObject(unknown(UNTOLD))
    expect(await stateOf([[true, true, '0']])).toMatchObject(unknown(UNTOLD))
    expect(
      await stateOf([
        [true, false, '0'],
        [false, true, null],
      ]),
    ).toMatchObject(unknown(UNTOLD))
    expect(await stateOf([[false, true, '0.02']])).toMatchObject(unknown('the cluster shows no writer'))
  })

  it('may name Aurora in its version', async () => {
    expect(await stateOf(undefined, '8.0.mysql_aurora.3.04.0')).toMatchObject({ version: 'MySQL 8.0 (Aurora 3.04.0)' })
  })
})
