import { z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import { INSTANT } from './response.ts'

/** Codes that reading dashboards and charts may answer. */
export const DASHBOARD_READ: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]

/** Codes that writing them may answer. */
export const DASHBOARD_WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', ...DASHBOARD_READ]

/** What operations on dashboards and charts have in common. */
export const DASHBOARDS = { tags: ['Dashboards'] }

/** Name of a dashboard or chart, title of a section. */
export const BOARD_NAME = z.string().min(1).max(200).describe('Without blanks around it')

/** Place among its kind. */
export const POSITION = z.int().min(0).max(2_147_483_647).describe('Smaller ones stand first, equal ones by id')

/** What the caller keeps of a chart. */
export const CHART_CONFIG = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ChartConfig', description: "The caller's own: kept as it was sent, at most 65536 bytes as JSON" })

/** What every dashboard and chart has. */
export const RECORD = { id: z.string(), name: BOARD_NAME, created_at: INSTANT, updated_at: INSTANT }

/** A section without its charts. */
export const SECTION = z
  .object({ id: z.string(), title: BOARD_NAME, position: POSITION })
  .meta({ id: 'DashboardSection', description: 'A part of a dashboard under a heading' })
