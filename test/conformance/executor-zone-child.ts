import { argv, stdout } from 'node:process'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { openExecutor } from '../../src/databases/open.ts'
import { EXACT_QUERY } from '../support/data/exact-cells.ts'

// Run by executor-types.test.ts in another time zone: prints the row as JSON.
const executor = openExecutor({ url: argv[2] ?? '', dialects: { postgres, mysql, trino } })
const rows = await executor.withSnapshot((snapshot) => snapshot.query({ text: EXACT_QUERY, values: [], label: 'zone' }))
await executor.close()
stdout.write(JSON.stringify({ zone: new Date(0).getTimezoneOffset(), rows }))
