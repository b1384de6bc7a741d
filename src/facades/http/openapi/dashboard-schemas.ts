import { z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import { INSTANT } from './response.ts'

/** Error codes of reading dashboards and charts. */
export const DASHBOARD_READ: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]

/** Error codes of writing them. */
export const DASHBOARD_WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', ...DASHBOARD_READ]

/** The tag that operations on dashboards and charts share. */
export const DASHBOARDS = { tags: ['Dashboards'] }

/** Name of a dashboard or chart, title of a section. */
export const BOARD_NAME = z.string().min(1).max(200).describe('No leading or trailing spaces')

/** Sort position of a section or chart. */
export const POSITION = z.int().min(0).max(2_147_483_647).describe('Sort position, ascending. Equal positions are ordered by id')

/** Free-form settings of a chart. */
export const CHART_CONFIG = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ChartConfig', description: 'Free-form JSON, stored unchanged: at most 65536 bytes' })

/** Fields of every dashboard and chart. */
export const RECORD = { id: z.string(), name: BOARD_NAME, created_at: INSTANT, updated_at: INSTANT }

/** A section without its charts. */
export const SECTION = z
  .object({ id: z.string(), title: BOARD_NAME, position: POSITION })
  .meta({ id: 'DashboardSection', description: 'A section of a dashboard, with a heading' })
