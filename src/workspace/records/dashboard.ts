import * as z from 'zod'
import { isObject } from '../../core/json.ts'
import { type SavedChart, VISIBILITIES } from '../../core/workspace.ts'
import { shownAs } from './body.ts'
import { defineRecord } from './define-record.ts'
import { choice, DESCRIPTION, ID, INSTANT, name, refusal, whole } from './fields.ts'

/** Most bytes of a chart's configuration as JSON in UTF-8. */
const MOST_CONFIG_BYTES = 65_536
/** Largest whole number that the column can hold in every database. */
const LAST_POSITION = 2_147_483_647

const CONFIG = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ChartConfig', description: `Free-form JSON, stored unchanged: at most ${MOST_CONFIG_BYTES} bytes` })

// Any object is accepted and stored as sent.
const config = shownAs(
  z
    .custom<SavedChart['config']>((value) => isObject(value) && Buffer.byteLength(JSON.stringify(value)) <= MOST_CONFIG_BYTES, {
      error: `"config" must be an object of at most ${MOST_CONFIG_BYTES} bytes as JSON.`,
      abort: true,
    })
    .refine((value) => !holdsInfinity(value), '"config" has a number that is too large to store.'),
  CONFIG,
)

// An infinite number would become null in JSON.
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity)
}

const position = whole('position', 0, LAST_POSITION, 'Sort position, ascending. Equal positions are ordered by id').optional()
const LAST_REVISION = 2_147_483_647
const revision = whole(
  'revision',
  1,
  LAST_REVISION,
  'The revision of the dashboard that the writer has read. If the dashboard has changed since, the change is refused. Absent: it is made',
).optional()
const stamps = { created_at: INSTANT, updated_at: INSTANT }

/** A saved query of a user. */
export const CHART = defineRecord('Chart', {
  description: 'A saved query of a user, and how its result is drawn',
  fields: { name: name('name'), config },
  answer: (fields) => ({ id: ID, name: fields.name, ...stamps, config: CONFIG.readonly() }),
})

/** A dashboard without its sections. */
export const DASHBOARD = defineRecord('Dashboard', {
  description: 'A page of charts that belongs to one user',
  fields: {
    name: name('name'),
    description: DESCRIPTION,
    visibility: choice('visibility', VISIBILITIES)
      .describe('`private`: only its owner reads it. `workspace`: everybody with the scope `read` reads it')
      .optional(),
  },
  guards: { revision },
  answer: (fields) => ({
    id: ID,
    name: fields.name,
    ...stamps,
    description: fields.description,
    visibility: fields.visibility,
    owner: z.string().nullable().describe('Name of its owner. Null if the owner has no name'),
    is_own: z.boolean().describe('Whether the caller is its owner'),
    revision: z.number().int().positive().describe('Number of its changes, from 1. A change of sections or charts counts'),
  }),
})

/** A section without its charts. */
export const SECTION = defineRecord('Section', {
  answerName: 'DashboardSection',
  description: 'A section of a dashboard, with a heading',
  fields: { title: name('title'), position },
  guards: { revision },
  answer: (fields) => ({ id: ID, ...fields }),
})

const idOf = (field: string) => z.string({ error: refusal(field, 'an id') })

/** A chart on a dashboard. */
export const PLACE = defineRecord('Place', {
  answerName: 'PlacedChart',
  description: 'A chart on a dashboard',
  fixed: { saved_chart_id: idOf('saved_chart_id') },
  fields: { section_id: idOf('section_id'), position },
  guards: { revision },
  answer: (fields) => ({
    id: ID.describe('Id of the placement (not of the chart)'),
    saved_chart_id: fields.saved_chart_id,
    position: fields.position,
    chart: z.object({ name: name('name'), config: CONFIG.readonly() }).meta({ id: 'ShownChart' }),
  }),
})

/** A dashboard with its sections and charts. */
export const DASHBOARD_WITH_CHARTS = DASHBOARD.answer
  .extend({
    sections: z
      .array(SECTION.answer.extend({ charts: z.array(PLACE.answer).readonly() }).meta({ id: 'SectionWithCharts' }))
      .readonly()
      .describe('In display order, with the charts of each section'),
  })
  .meta({ id: 'DashboardWithCharts', description: 'A dashboard with its sections and charts' })
