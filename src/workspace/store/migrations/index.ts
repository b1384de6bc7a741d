import type { Knex } from 'knex'
import { createFxRate } from './0001-fx-rate.ts'
import { createAttributes } from './0002-attributes.ts'
import { createSegments } from './0003-segments.ts'
import { createIdentity } from './0004-identity.ts'
import { addWorkspaces } from './0005-workspaces.ts'
import { createExpenses } from './0006-expenses.ts'
import { createSources } from './0007-sources.ts'
import { createLineTotals } from './0008-line-totals.ts'
import { createAccess } from './0009-access.ts'
import { createDashboards } from './0010-dashboards.ts'
import { foldDashboards } from './0011-dashboard-documents.ts'
import { createNotesAndGoals } from './0012-notes-goals.ts'
import { createLinks } from './0013-links.ts'
import { createDeliveries } from './0014-deliveries.ts'
import { createFindingMarks } from './0015-finding-marks.ts'

/** A forward change of the side schema. `schema` is undefined if the database itself is the schema. */
type Migration = (knex: Knex, schema: string | undefined) => Promise<void>

/** All migrations in order. Never edit or rename a released one. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-fx-rate': createFxRate,
  '0002-attributes': createAttributes,
  '0003-segments': createSegments,
  '0004-identity': createIdentity,
  '0005-workspaces': addWorkspaces,
  '0006-expenses': createExpenses,
  '0007-sources': createSources,
  '0008-line-totals': createLineTotals,
  '0009-access': createAccess,
  '0010-dashboards': createDashboards,
  '0011-dashboard-documents': foldDashboards,
  '0012-notes-goals': createNotesAndGoals,
  '0013-links': createLinks,
  '0014-deliveries': createDeliveries,
  '0015-finding-marks': createFindingMarks,
}
