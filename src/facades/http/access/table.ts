import type { Scope } from '../../../core/auth.ts'

/** What a request for an operation needs, and what is recorded of it. */
export interface RouteAccess {
  /** `public`: nothing; `signed_in`: a credential of any scope. */
  readonly needs: Scope | 'public' | 'signed_in'
  /** What the audit log calls it; absent where it is not recorded. */
  readonly action?: string
  /** True where what is done is recorded by itself, so that only refusals are recorded here. */
  readonly isRecorded?: true
  /** The scope with which what is public tells more; a credential is not needed, and one that is not valid counts as none. */
  readonly more?: Scope
}

const PUBLIC: RouteAccess = { needs: 'public' }
const NUMBERS: RouteAccess = { needs: 'read:aggregate' }
const READ: RouteAccess = { needs: 'read' }

/** A reading of what is about persons. */
const personal: RouteAccess = { needs: 'read', action: 'personal.read' }
const write = (action: string): RouteAccess => ({ needs: 'write', action })
const admin = (action: string): RouteAccess => ({ needs: 'admin', action })

/**
 * Who may ask for what: the one table that requests are judged by and that the document is made from. An operation that is not in it keeps
 * the service from starting. The paths of metrics, which embedders may add to, are judged by what their rows tell (`access.ts`).
 */
export const ACCESS: Readonly<Record<string, RouteAccess>> = {
  'GET /': PUBLIC,
  'GET /assets/{file}': PUBLIC,
  'GET /docs': PUBLIC,
  'GET /docs/assets/{file}': PUBLIC,
  'GET /healthz': PUBLIC,
  'GET /openapi.json': PUBLIC,
  'GET /readyz': { needs: 'public', more: 'read' },
  'GET /redoc': PUBLIC,
  'GET /metrics': READ,

  'GET /auth/config': PUBLIC,
  'GET /auth/me': { needs: 'signed_in' },
  'GET /api/keys': { needs: 'admin' },
  // What changes keys is recorded where it is done, by the command line too.
  'POST /api/keys': { ...admin('key.create'), isRecorded: true },
  'DELETE /api/keys/{id}': { ...admin('key.revoke'), isRecorded: true },
  'GET /api/audit': admin('audit.read'),

  'GET /api/metrics': NUMBERS,
  'GET /api/metrics/{metric}/fields': NUMBERS,
  // What of it shows customers needs more, which is known once the question has been read.
  'POST /api/metrics/{metric}': NUMBERS,
  'GET /api/metrics/summary': NUMBERS,

  // Likewise, for each tool that is called.
  'POST /mcp': NUMBERS,

  'GET /api/customers': personal,
  'GET /api/customers/{id}': personal,
  'GET /api/subscriptions': personal,
  'GET /api/invoices': personal,

  'GET /api/segments': NUMBERS,
  'GET /api/segments/fields': personal,
  'GET /api/segments/{id}': READ,
  'POST /api/segments': write('segment.create'),
  'POST /api/segments/validate': READ,
  'PUT /api/segments/{id}': write('segment.update'),
  'DELETE /api/segments/{id}': write('segment.delete'),

  'GET /api/attributes': READ,
  'GET /api/attributes/{key}/values': personal,
  'POST /api/attributes': write('attribute.create'),
  'POST /api/attributes/import': write('attribute.import'),
  'PUT /api/attributes/{key}': write('attribute.update'),
  'GET /api/customer-attributes': personal,
  'POST /api/customers/{id}/attributes': write('attribute_value.set'),
  'DELETE /api/customers/{id}/attributes/{key}': write('attribute_value.delete'),

  'GET /api/bills': READ,
  'GET /api/expenses/lines': READ,
  'GET /api/vendors': READ,
  'POST /api/expenses/import': write('expense.import'),

  'GET /api/fx/rates': READ,
  'GET /api/fx/missing': READ,
  // All workspaces on the store share them.
  'POST /api/fx/rates/import': admin('fx_rate.import'),

  // What a user keeps for itself.
  'GET /api/dashboards': NUMBERS,
  'POST /api/dashboards': write('dashboard.create'),
  'GET /api/dashboards/{id}': NUMBERS,
  'PUT /api/dashboards/{id}': write('dashboard.update'),
  'DELETE /api/dashboards/{id}': write('dashboard.delete'),
  'POST /api/dashboards/{id}/sections': write('dashboard.update'),
  'PUT /api/dashboards/{id}/sections/{sid}': write('dashboard.update'),
  'DELETE /api/dashboards/{id}/sections/{sid}': write('dashboard.update'),
  'POST /api/dashboards/{id}/charts': write('dashboard.update'),
  'PUT /api/dashboards/{id}/charts/{cid}': write('dashboard.update'),
  'DELETE /api/dashboards/{id}/charts/{cid}': write('dashboard.update'),
  'GET /api/charts': NUMBERS,
  'POST /api/charts': write('chart.create'),
  'PUT /api/charts/{id}': write('chart.update'),
  'DELETE /api/charts/{id}': write('chart.delete'),

  'GET /api/sources': READ,
  'POST /api/sources': admin('source.create'),
  'DELETE /api/sources/{id}': admin('source.disconnect'),
  'POST /api/sources/{id}/backfill': write('source.backfill'),
  'GET /api/sources/{id}/dead-letters': READ,
  'POST /api/sources/{id}/dead-letters/retry': write('dead_letter.retry'),
  'DELETE /api/sources/{id}/dead-letters/{letter}': write('dead_letter.drop'),
  'GET /api/connectors/{type}/oauth/start': admin('source.consent'),
  // The platform sends the browser here, known by what the start gave it.
  'GET /api/connectors/{type}/oauth/callback': { needs: 'public', action: 'source.connect' },
  // Known by its signature.
  'POST /api/webhooks/{address}': PUBLIC,
}
