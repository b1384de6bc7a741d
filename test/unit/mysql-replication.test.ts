import { describe, expect, it } from 'vitest'
import { replicationOf } from '../../src/databases/mysql/replication.ts'

const MOMENT = { read_at: '2025-06-05 12:00:00', patience_seconds: 60 }
const RUNNING = { Replica_IO_Running: 'Yes', Replica_SQL_Running: 'Yes', Last_SQL_Errno: 0, Last_IO_Errno: 0 }
const source = (row: Record<string, string | number | null>) => ({ ...RUNNING, ...row })

describe('state of replication in the words of MySQL 8', () => {
  it('behind by what is being applied', () => {
    expect(replicationOf([source({ Seconds_Behind_Source: '90' })], MOMENT)).toEqual({
      lag_seconds: 90,
      data_through: '2025-06-05 11:58:30',
      doubt: null,
    })
  })

  it('with nothing to apply it has surely heard its primary within the time-out', () => {
    const row = source({ Seconds_Behind_Source: 0 })
    expect(replicationOf([row], MOMENT)).toEqual({ lag_seconds: 0, data_through: '2025-06-05 11:59:00', doubt: null })
    expect(replicationOf([row], { ...MOMENT, patience_seconds: null }).data_through).toBeNull()
  })

  it('without its receiver what was received may still be applied', () => {
    const row = source({ Seconds_Behind_Source: 5, Replica_IO_Running: 'Connecting', Last_IO_Errno: 2003 })
    expect(replicationOf([row], MOMENT)).toEqual({
      lag_seconds: 5,
      data_through: '2025-06-05 11:59:55',
      doubt: 'the IO thread is not connected (error 2003)',
    })
  })

  it('nothing is known of a stopped one, nor of a replica with one that is stopped', () => {
    const stopped = source({ Seconds_Behind_Source: null, Replica_SQL_Running: 'No', Last_SQL_Errno: 1062 })
    const unknown = { lag_seconds: null, data_through: null, doubt: 'the SQL thread is stopped (error 1062)' }
    expect(replicationOf([stopped], MOMENT)).toEqual(unknown)
    expect(replicationOf([source({ Seconds_Behind_Source: 1 }), stopped], MOMENT)).toEqual(unknown)
    expect(replicationOf([source({ Seconds_Behind_Source: null })], MOMENT)).toMatchObject({
      doubt: 'the server does not report how far it is behind',
    })
  })

  it('of several sources the one furthest behind counts', () => {
    const rows = [source({ Seconds_Behind_Source: 3 }), source({ Seconds_Behind_Source: 0 })]
    expect(replicationOf(rows, MOMENT)).toEqual({ lag_seconds: 3, data_through: '2025-06-05 11:59:00', doubt: null })
  })
})
