import { describe, expect, it } from 'vitest'
import { createPublications, newId, type Publication } from '../../src/cache/lake/publications.ts'
import { replacedOf } from '../../src/cache/lake/publish.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import type { Row } from '../../src/ports/rows.ts'

const PLACE = { catalog: 'lake', schema: 'plumbline' }
const PUBLICATION: Publication = {
  id: 'p1_aaaa',
  made_at: '2026-01-01T00:00:00.000Z',
  now: '2026-01-01T00:00:00.000Z',
  data_through: '2026-01-01T00:00:00.000Z',
  header: 'same',
  session: 'same',
  versions: {},
  rows: { customer: 1, movement: 2 },
}
const OPENING = { reads: [{ text: 'select 1', values: [], rows: [{ document: 'x'.repeat(10) }] }] }

/** Publications over a Trino that answers by the label of the statement, without its dialect. */
function publicationsOver(answers: Readonly<Record<string, readonly Row[]>>) {
  const sent: Statement[] = []
  const query = async (statement: Statement): Promise<readonly Row[]> => {
    sent.push(statement)
    return answers[statement.label.replace(/ trino$/, '')] ?? []
  }
  const publications = createPublications(
    {
      withSnapshot: (work) =>
        work({
          dialect: trino,
          query,
          async *stream(statement) {
            yield* await query(statement)
          },
        }),
    },
    PLACE,
  )
  return { publications, labels: () => sent.map(({ label }) => label.replace(/^lake\.| trino$/g, '')), sent }
}

const tables = (...names: readonly string[]) => ({ 'lake.tables': names.map((table_name) => ({ table_name })) })

it('a publication is shown by one last row, after its opening', async () => {
  const { publications, labels, sent } = publicationsOver(tables('p1_aaaa_held_customer', 'p1_aaaa_held_movement'))
  await publications.complete(PUBLICATION, OPENING)
  expect(labels()).toEqual(['opening', 'opening', 'tables', 'tables', 'complete'])
  expect(sent.at(-1)?.values).toEqual(['p1_aaaa', 'complete', JSON.stringify(PUBLICATION)])
})

it('a publication whose tables another writer has removed is not shown', async () => {
  const { publications, labels } = publicationsOver(tables('p1_aaaa_held_customer', 'p2_bbbb_held_movement'))
  await expect(publications.complete(PUBLICATION, OPENING)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('movement'),
  })
  expect(labels()).not.toContain('complete')
})

it('a long opening is written in parts', async () => {
  const random = Array.from({ length: 120_000 }, (_, index) => Math.sin(index).toString(36)).join('')
  const { publications, labels } = publicationsOver(tables('p1_aaaa_held_customer', 'p1_aaaa_held_movement'))
  await publications.complete(PUBLICATION, { reads: [{ text: 'select 1', values: [], rows: [{ random }] }] })
  expect(labels().filter((label) => label === 'opening').length).toBeGreaterThan(2)
})

it('the first of the writers at work goes on, and any other leaves', async () => {
  const first = { 'lake.working': [{ id: 'p1_aaaa', name: 'me', began_at: '2026-01-01 00:00:00' }] }
  await publicationsOver(first).publications.begin('p1_aaaa', 'me')
  const second = publicationsOver(first)
  await expect(second.publications.begin('p2_bbbb', 'the other')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('me, since 2026-01-01 00:00:00'),
  })
  expect(second.labels()).toEqual(['running', 'working'])
})

it('only what no writer works on and no reader sees is abandoned', async () => {
  const { publications } = publicationsOver({
    ...tables(
      'plumbline_publications',
      'p1_aaaa_held_customer',
      'p2_bbbb_step_x',
      'p3_cccc_raw_t',
      'accounts',
      'p2024_0101_sales',
    ),
    'lake.working': [{ id: 'p2_bbbb' }],
    'lake.publications': [{ content: JSON.stringify(PUBLICATION) }],
    'lake.stated': [{ id: 'p1_aaaa' }, { id: 'p2_bbbb' }, { id: 'p5_dddd' }],
  })
  expect([...(await publications.abandoned())].sort()).toEqual(['p3_cccc', 'p5_dddd'])
})

it('only the tables of a publication are removed with it, after its rows', async () => {
  const { publications, sent } = publicationsOver(
    tables('plumbline_publications', 'p1_aaaa_held_customer', 'p1_aaaa_opening', 'p1_aaaab_x', 'p2_bbbb_raw_t', 'accounts'),
  )
  await publications.remove('p1_aaaa')
  const texts = sent.map(({ text }) => text.replace(/^.*\n/, ''))
  expect(texts[0]).toMatch(/^delete from lake\.plumbline\.plumbline_publications where id =/)
  expect(texts.slice(2)).toEqual([
    'drop table if exists lake.plumbline.p1_aaaa_held_customer',
    'drop table if exists lake.plumbline.p1_aaaa_opening',
  ])
})

it('a reader of an empty schema finds no publication, and asks for no table that is not there', async () => {
  const { publications, labels } = publicationsOver({})
  expect(await publications.list()).toEqual([])
  expect(labels()).toEqual(['tables'])
})

it('a row with an id of another form is no publication', async () => {
  const { publications } = publicationsOver({
    ...tables('plumbline_publications'),
    'lake.publications': [
      { content: JSON.stringify({ ...PUBLICATION, id: 'p1_aaaa_held_x as held; --' }) },
      { content: JSON.stringify(PUBLICATION) },
    ],
  })
  expect(await publications.list()).toEqual([PUBLICATION])
})

it('an id begins with the second', () => {
  expect(newId(new Date('2026-01-01T00:00:00.999Z'))).toMatch(/^p1767225600_[0-9a-f]{4}$/)
})

it('the publication of the latest instant is the newest, whichever was completed last', async () => {
  const later = { ...PUBLICATION, id: 'p1_cccc', now: '2026-01-02T00:00:00.000Z' }
  const rows = [PUBLICATION, later].map((each) => ({ content: JSON.stringify(each) }))
  for (const given of [rows, rows.toReversed()]) {
    const { publications } = publicationsOver({ ...tables('plumbline_publications'), 'lake.publications': given })
    expect((await publications.list()).map(({ id }) => id)).toEqual(['p1_cccc', 'p1_aaaa'])
  }
})

it('a writer that was slow does not hide a later instant', async () => {
  const later = { ...PUBLICATION, id: 'p1_cccc', now: '2026-01-02T00:00:00.000Z' }
  const { publications, labels } = publicationsOver({
    ...tables('plumbline_publications', 'p1_aaaa_held_customer', 'p1_aaaa_held_movement'),
    'lake.publications': [{ content: JSON.stringify(later) }],
  })
  await expect(publications.complete(PUBLICATION, OPENING)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('p1_cccc'),
  })
  expect(labels()).not.toContain('complete')
})

it('publications need a catalog of Iceberg', async () => {
  const { publications, labels } = publicationsOver({ 'lake.catalog': [{ connector_name: 'hive' }] })
  await expect(publications.prepare()).rejects.toMatchObject({ problems: [expect.stringContaining('is not Iceberg')] })
  expect(labels()).toEqual(['catalog'])
})

describe('a publication is replaced', () => {
  const now = new Date('2026-01-10T00:00:00Z')
  const made = (id: string, made_at: string, header = 'same') => ({ ...PUBLICATION, id, now: made_at, made_at, header })

  it('an hour after its successor was made, if enough others stay', () => {
    const all = [
      made('p9_aaaa', '2026-01-09T23:50:00.000Z'),
      made('p8_aaaa', '2026-01-09T00:00:00.000Z'),
      made('p7_aaaa', '2026-01-08T00:00:00.000Z'),
    ]
    expect(replacedOf(all, 'same', 1, now)).toEqual(['p7_aaaa'])
    expect(replacedOf(all, 'same', 1, new Date('2026-01-10T00:51:00Z'))).toEqual(['p8_aaaa', 'p7_aaaa'])
    expect(replacedOf(all, 'same', 3, now)).toEqual([])
  })

  it('by no publication of another version, whose own ones stay for a day', () => {
    const all = [
      made('p9_aaaa', '2026-01-09T20:00:00.000Z', 'other'),
      made('p8_aaaa', '2026-01-09T18:00:00.000Z'),
      made('p7_aaaa', '2026-01-08T00:00:00.000Z', 'other'),
    ]
    expect(replacedOf(all, 'same', 1, now)).toEqual(['p7_aaaa'])
  })
})
