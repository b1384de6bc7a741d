import { describe, expect, it } from 'vitest'
import { openSession } from '../../src/databases/mysql/session.ts'
import { resolveLimits } from '../../src/databases/options.ts'
import type { Row } from '../../src/ports/rows.ts'

const LIMITS = resolveLimits({})
const SHIPPED = {
  version: '8.0.31',
  optimizer_switch: 'index_merge=on,derived_merge=on,derived_condition_pushdown=on',
  character_set_client: 'utf8mb4',
  character_set_results: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  collation_connection: 'utf8mb4_unicode_ci',
  div_precision_increment: '4',
}

/** A server that has these settings and refuses statements about one of them; no real one reserves what is needed. */
function server(settings: Readonly<Record<string, string>>, refused?: string) {
  const sent: string[] = []
  const run = async (text: string): Promise<readonly Row[]> => {
    sent.push(text)
    if (refused !== undefined && text.startsWith('set') && text.includes(refused))
      throw Object.assign(new Error('denied'), { errno: 1227, sqlState: '42000', code: 'ER_SPECIFIC_ACCESS_DENIED_ERROR' })
    return text.startsWith('show') ? Object.entries(settings).map(([name, value]) => ({ Variable_name: name, Value: value })) : []
  }
  return { sent, run }
}

describe('the settings of a MySQL session', () => {
  it('are made in few statements, limits of rows first, and only where the server has them otherwise', async () => {
    const { sent, run } = server({ ...SHIPPED, sql_auto_is_null: 'ON' })
    expect(await openSession(run, LIMITS)).toBe('mysql')
    expect(sent).toHaveLength(4)
    expect(sent[0]).toContain('sql_select_limit')
    expect(sent[2]).toContain("@@session.sql_auto_is_null = 'OFF'")
    expect(sent[2]).toContain('derived_condition_pushdown=off,derived_merge=off')
    expect(sent[2]).not.toContain('div_precision_increment')
  })

  it('name no switch that the server lacks', async () => {
    const { sent, run } = server({ ...SHIPPED, version: '8.0.21', optimizer_switch: 'index_merge=off' })
    await openSession(run, LIMITS)
    expect(sent[2]).toContain("@@session.optimizer_switch = 'index_merge=on'")
  })

  it.each([
    ['10.6.22-MariaDB', '1'],
    ['10.11.19-MariaDB-0+deb12u1', '2'],
    ['11.4.5-MariaDB', '2'],
  ])('have the prune level that %s ships with', async (version, level) => {
    const { sent, run } = server({ ...SHIPPED, version, optimizer_prune_level: '0' })
    expect(await openSession(run, LIMITS)).toBe('mariadb')
    expect(sent[2]).toContain(`@@session.optimizer_prune_level = ${level}`)
    const shipped = server({ ...SHIPPED, version, optimizer_prune_level: level })
    await openSession(shipped.run, LIMITS)
    expect(shipped.sent[2]).not.toContain('optimizer_prune_level')
  })

  it('that the server keeps to itself are named, and nothing is read', async () => {
    const { run } = server({ ...SHIPPED, div_precision_increment: '0' }, 'div_precision_increment')
    await expect(openSession(run, LIMITS)).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringMatching(/set div_precision_increment \(ER_SPECIFIC_ACCESS_DENIED_ERROR\)/),
    })
  })

  it('may leave memory to administrators', async () => {
    const { run } = server(SHIPPED, 'sort_buffer_size')
    expect(await openSession(run, LIMITS)).toBe('mysql')
  })

  it('are refused where the server tells none', async () => {
    await expect(openSession(server({}).run, LIMITS)).rejects.toMatchObject({ code: 'connector_unavailable' })
  })
})
