import type { DialectName } from '../../../src/compiler/dialect.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { Value } from '../databases/test-database.ts'

/** Statements that make a table with one row of cells that a careless driver bends. */
export function exactCellsTable(engine: DialectName): string[] {
  const type =
    engine === 'postgres'
      ? { at: 'timestamp', exactly: 'timestamp', bytes: 'bytea', flag: 'boolean' }
      : { at: 'datetime', exactly: 'datetime(6)', bytes: 'blob', flag: 'tinyint(1)' }
  const bytes = engine === 'postgres' ? "'\\x00ff10'" : "x'00ff10'"
  return [
    `create table cells (big bigint, small_number integer, amount decimal(18,9), ratio double precision, name varchar(50), happened ${type.at},
       at_micros ${type.exactly}, at_second ${type.exactly},       day date, flag ${type.flag}, bytes ${type.bytes}, doc json, nothing integer)`,
    `insert into cells values (9007199254740993, 42, 123456789.123456789, 0.1, 'Zoë', '2024-03-10 02:30:00',
       '2024-03-10 02:30:00.250100', '2024-03-10 02:30:00', '2024-03-10', true, ${bytes}, '{"n": 9007199254740993}', null)`,
  ]
}

/** 02:30 of that day does not exist in New York: a driver that goes through local time moves it. */
export const EXACT_QUERY = 'select cells.*, count(*) over () as row_count, sum(big) over () as total from cells'

/** The cells that an executor must return. */
export function exactCells(engine: DialectName): Row {
  return {
    big: '9007199254740993',
    small_number: 42,
    amount: '123456789.123456789',
    ratio: 0.1,
    name: 'Zoë',
    happened: '2024-03-10 02:30:00',
    at_micros: '2024-03-10 02:30:00.2501',
    at_second: '2024-03-10 02:30:00',
    day: '2024-03-10',
    flag: engine === 'postgres' ? true : 1,
    bytes: '\\x00ff10',
    doc: '{"n": 9007199254740993}',
    nothing: null,
    row_count: '1',
    total: '9007199254740993',
  }
}

/** Values whose way to the server is as dangerous as the way back. */
export const BOUND_VALUES: readonly Value[] = [
  9007199254740991,
  'it\'s \\ "quoted" ☃',
  true,
  null,
  0.1,
  '123456789.123456789',
  '2024-03-10 02:30:00',
]

/** Compares each bound value with a literal or column, so that a bent value is found out by the server. */
export function boundQuery(engine: DialectName): string {
  return engine === 'postgres'
    ? `select $1::bigint + 1 as big, $2::text as name, $3::boolean as flag, $4::text as nothing, $5::double precision as ratio,
         $6::numeric as amount, count(*) as found from cells where happened = $7::timestamp`
    : `select cast(? as signed) + 1 as big, ? as name, case when ? = true then 'true' end as flag, ? as nothing, ? as ratio, cast(? as decimal(18,9)) as amount,
         count(*) as found from cells where happened = ?`
}

/** The cells that come back for BOUND_VALUES. */
export function boundCells(engine: DialectName): Row {
  return {
    big: '9007199254740992',
    name: 'it\'s \\ "quoted" ☃',
    flag: engine === 'postgres' ? true : 'true',
    nothing: null,
    ratio: 0.1,
    amount: '123456789.123456789',
    found: '1',
  }
}
