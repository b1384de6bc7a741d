import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { isInTurn, sampleOf } from '../support/databases/rotation.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { describeTargets, engines, type Target, type TestDatabase } from '../support/databases/targets.ts'
import {
  answersOf,
  cachedEngineAs,
  engineAs,
  HOSTILE_QUESTIONS,
  historyOn,
  type OwnHostileServer,
  startHostile,
} from './hostile-server.ts'
import { HOSTILE_PLANS, HOSTILE_ROLE, HOSTILE_SERVERS } from './hostile-settings.ts'

/** Each run asks for a share. */
const questionsOf = (target: Pick<Target, 'name'>, shift: number) =>
  sampleOf({ ...target, actsAsFirst: false } as Target, HOSTILE_QUESTIONS, { others: 4, shift })

const KEPT_SWITCHES = ['hypergraph_optimizer', 'in_to_exists']

const told: Record<string, string> = {}
let closeReference: () => Promise<void>

// A server whose settings nobody touched. Its answers are right, as test/parity and test/property show.
beforeAll(async () => {
  const [target] = engines()
  if (target === undefined) throw new Error('there is no database here')
  const database = await historyOn(target)
  const engine = await engineAs(database, database.url)
  Object.assign(told, await answersOf(engine, HOSTILE_QUESTIONS))
  await engine.close()
  closeReference = () => database.drop()
})
afterAll(() => closeReference?.())

const expectTold = (answers: Readonly<Record<string, string>>) => {
  expect(Object.keys(answers).length).toBeGreaterThan(3)
  for (const [name, body] of Object.entries(answers)) expect(body, name).toBe(told[name])
}

it('there is something to tell', () => {
  expect(Object.values(told).filter((body) => !['[]', '0', 'null'].includes(body)).length).toBeGreaterThan(
    HOSTILE_QUESTIONS.length / 2,
  )
})

for (const [place, name] of (['mysql', 'mariadb'] as const).entries()) {
  const programs = { [name]: programsOf(name) }
  // A server of its own takes seconds to begin, so each run starts one of the two.
  describe.skipIf(programs[name] === undefined || !isInTurn(place, 2))(`a hostile ${name}`, () => {
    let server: OwnHostileServer
    beforeAll(async () => {
      server = await startHostile(name, programs)
    })
    afterAll(() => server?.close())

    it.each(Object.entries(HOSTILE_SERVERS[name]))('changes no answer where %s', async (_, hostile) => {
      await server.under(hostile, async () => {
        const engine = await engineAs(server.database, server.reader)
        expectTold(await answersOf(engine, questionsOf({ name }, 0)))
        await engine.close()
      })
    })

    it('changes no answer where every switch of the optimizer is turned', async () => {
      // MariaDB keeps one of two on; MySQL's own builds have no such optimizer.
      const shipped = await server.switches()
      const switches = [...shipped].filter(([one]) => !KEPT_SWITCHES.includes(one))
      expect(switches.length).toBeGreaterThan(15)
      const turned = switches.map(([one, isOn]) => `${one}=${isOn ? 'off' : 'on'}`).join(',')
      await server.under({ global: { optimizer_switch: `'${turned}'` }, atConnect: [] }, async () => {
        const executor = server.database.executor({ url: server.reader })
        const statement = { text: 'select @@optimizer_switch as switches', values: [], label: 'switches' }
        const [row] = await executor.withSnapshot((snapshot) => snapshot.query(statement))
        const off = name === 'mysql' ? ['derived_condition_pushdown', 'derived_merge'] : []
        const own = [...shipped].map(([one, isOn]) => `${one}=${isOn && !off.includes(one) ? 'on' : 'off'}`)
        expect(String(row?.['switches']).split(',')).toEqual(own)
        const engine = await engineAs(server.database, server.reader)
        expectTold(await answersOf(engine, questionsOf({ name }, 1)))
        await engine.close()
      })
    })

    it('fills the cache whole where rows are cut', async () => {
      await server.under(HOSTILE_SERVERS[name]['rows are cut at the start of a session'] ?? never(), async () => {
        const { engine, cache } = await cachedEngineAs(server.database, server.reader)
        const asked = questionsOf({ name }, 2)
        expectTold(await answersOf(engine, asked))
        expect(cache.failures()).toEqual([])
        const cached = asked.filter(({ isCached }) => isCached)
        expect(cached.length).toBeGreaterThan(3)
        expect(cache.answered()).toBe(cached.length)
        await engine.close()
      })
    })

    it('is named with the limit that a session cannot lift', async () => {
      await server.under({ global: { max_prepared_stmt_count: '0' }, atConnect: [] }, async () => {
        const engine = await engineAs(server.database, server.reader)
        const error = await engine.query('mrr', { at: '2024-05-10' }).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(AppError)
        expect(error).toMatchObject({ code: 'connector_unavailable' })
        expect((error as AppError).message).toContain('max_prepared_stmt_count')
        await engine.close()
      })
    })
  })
}

describeTargets(
  'a hostile role',
  (target) => {
    const role = `pl_hostile_${randomBytes(4).toString('hex')}`
    let database: TestDatabase
    let reader: URL
    beforeAll(async () => {
      database = await historyOn(target)
      reader = new URL(database.url)
      reader.username = role
      await database.adminQuery(
        `create role ${role} login; grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}`,
      )
      // A function that comes before the real one if pg_catalog is last.
      await database.adminQuery("create function public.lower(text) returns text language sql as 'select upper($1)'")
    })
    afterAll(async () => {
      await database.drop()
      const admin = await target.createDatabase()
      await admin.adminQuery(`drop role if exists ${role}`)
    })

    const cases = [
      ['the role sets what it may', 'role', HOSTILE_ROLE] as const,
      ...Object.entries(HOSTILE_PLANS).map(([name, plans], place) => [name, place === 0 ? 'role' : 'database', plans] as const),
    ]
    it.each(cases)('changes no answer where %s', async (name, kind, settings) => {
      const whom = kind === 'role' ? `role ${role}` : `database ${reader.pathname.slice(1)}`
      await database.adminQuery(`alter ${whom} reset all`)
      for (const [setting, value] of Object.entries(settings))
        await database.adminQuery(`alter ${whom} set ${setting} = ${value}`)
      const engine = await engineAs(database, reader.href)
      expectTold(await answersOf(engine, questionsOf(target, name.length)))
      await engine.close()
      await database.adminQuery(`alter ${whom} reset all`)
    })

    const ask = (asked: Engine) => asked.query('mrr', { at: '2024-05-10' }).then(({ data }) => data)
    const tried = async () => {
      const engine = await engineAs(database, reader.href)
      const error = await ask(engine).catch((thrown: unknown) => thrown)
      await engine.close()
      return error
    }
    const CLOSER = [
      ['lower(character varying)', "function public.lower(varchar) returns text language sql as 'select upper($1::text)'"],
      ['concat_ws(text,text,text)', "function public.concat_ws(text, text, text) returns text language sql as 'select $2'"],
      [
        '=(character varying,character varying)',
        'operator public.= (leftarg = varchar, rightarg = varchar, function = public.alike)',
      ],
    ] as const
    it.each(CLOSER)('is refused where the schema has what calls of the own ones go to: %s', async (name, made) => {
      await database.adminQuery("create function public.alike(varchar, varchar) returns boolean language sql as 'select true'")
      const before = await engineAs(database, reader.href)
      const wanted = await ask(before)
      await before.close()
      await database.adminQuery(`create ${made}`)
      const refused = await tried()
      await database.adminQuery('drop function public.alike cascade')
      if (made.startsWith('function')) await database.adminQuery(`drop function public.${name}`)
      expect(refused).toMatchObject({ code: 'unsupported_by_connector', context: { replaced: [name] } })
      expect(String(refused)).toContain(name)
      expect(await tried()).toEqual(wanted)
    })

    it('reads where other functions have a name of the own ones', async () => {
      await database.adminQuery(
        "create function public.round(double precision, integer) returns numeric language sql as 'select round($1::numeric, $2)'",
      )
      const engine = await engineAs(database, reader.href)
      expectTold(await answersOf(engine, questionsOf(target, 3)))
      await engine.close()
    })
  },
  { only: ['postgres'] },
)

function never(): never {
  throw new Error('there is no such server')
}
