import { describe, expect, it } from 'vitest'
import { serverLimitReached } from '../../src/databases/failures.ts'

const refusal = (code: string, message: string) => serverLimitReached('mrr.current', Object.assign(new Error(message), { code }))

describe('a statement that needs more than the server allows', () => {
  it.each([
    ['53400', 'temporary file size exceeds temp_file_limit (1024kB)', 'temp_file_limit'],
    ['ER_TOO_BIG_SELECT', 'The SELECT would examine more than MAX_JOIN_SIZE rows', 'max_join_size'],
    ['ER_RECORD_FILE_FULL', "The table '/tmp/#sql7f9f_9_0' is full", 'temptable_max_ram'],
    // MySQL 8.0.31 says this of every CTE that is read twice, as long as other sessions fill the memory of temporary tables.
    ['ER_NO_SUCH_TABLE', "Table './tmp/#sql7f9f_9_0' doesn't exist", 'temptable_max_ram'],
  ])('names the setting to raise: %s', (code, message, setting) => {
    const error = refusal(code, message)
    expect(error).toMatchObject({ code: 'connector_unavailable' })
    expect(error?.message).toContain(setting)
  })

  it.each([
    ['ER_NO_SUCH_TABLE', "Table 'killbill.bundles' doesn't exist"],
    ['ER_PARSE_ERROR', 'You have an error in your SQL syntax'],
  ])('is not one that the product wrote wrongly: %s', (code, message) => {
    expect(refusal(code, message)).toBeUndefined()
  })
})
