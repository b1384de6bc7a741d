import type { Scope } from '../../../core/auth.ts'

/** Required access of an operation, and its entry in the audit log. */
export interface RouteAccess {
  /** `public`: no credential. `signed_in`: a credential with any scope. */
  readonly needs: Scope | 'public' | 'signed_in'
  /** Name in the audit log. Undefined if it is not recorded. */
  readonly action?: string
  /** True if the operation records itself. Then only refusals are recorded here. */
  readonly isRecorded?: true
  /** Scope with which a public operation shows more. A credential is optional, and an invalid one is ignored. */
  readonly more?: Scope
}

const PUBLIC: RouteAccess = { needs: 'public' }
const NUMBERS: RouteAccess = { needs: 'read:aggregate' }
const READ: RouteAccess = { needs: 'read' }

/** A read of personal data. */
const personal: RouteAccess = { needs: 'read', action: 'personal.read' }
const write = (action: string): RouteAccess => ({ needs: 'write', action })
const admin = (action: string): RouteAccess => ({ needs: 'admin', action })

/**
 * Required access of every operation. The middleware checks requests against this table, and the document is made from it. The service does not
 * start if an operation is missing. The access of metric paths, which embedders can add, follows from their rows (`access.ts`).
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
  // Changes of keys record themselves, because the command line can make them too.
  'POST /api/keys': { ...admin('key.create'), isRecorded: true },
  'DELETE /api/keys/{id}': { ...admin('key.revoke'), isRecorded: true },
  'GET /api/audit': admin('audit.read'),
  // It names rights, hosts, the place of the store, and customers with what they owe.
  'GET /api/checks': admin('personal.read'),

  // It names customers.
  'GET /api/verify': personal,
  'GET /api/verify/checks': NUMBERS,

  'GET /api/metrics': NUMBERS,
  'GET /api/metrics/{metric}/fields': NUMBERS,
  // Free text needs `read`. This is checked where the field is known.
  'GET /api/metrics/{metric}/fields/{field}/values': NUMBERS,
  'GET /api/metrics/{metric}/bridge': NUMBERS,
  'GET /api/definitions': NUMBERS,
  'GET /api/metrics/{metric}/rows': personal,
  // A query that shows customers needs `read`. This is checked after the query is parsed.
  'POST /api/metrics/{metric}': NUMBERS,
  'GET /api/metrics/summary': NUMBERS,
  'GET /api/tenants': NUMBERS,

  // Checked again for each tool call.
  'POST /mcp': NUMBERS,

  'GET /api/customers': personal,
  'GET /api/customers/{id}': personal,
  'GET /api/subscriptions': personal,
  'GET /api/invoices': personal,
  'GET /api/invoices/ages': personal,
  'GET /api/subscriptions/renewals': personal,
  'GET /api/forecast/billings': personal,
  'GET /api/ledger/open-invoices': personal,
  'GET /api/ledger/schedule': personal,
  // A personal read if its entries are those of single invoices. This is decided where the request is read.
  'GET /api/ledger/journal': READ,
  // A personal read if the request narrows it to customers. This is decided where the request is read.
  'GET /api/billing-health': READ,
  'GET /api/billing-health/findings': personal,
  'GET /api/billing-health/notices': personal,
  'GET /api/billing-health/marks': personal,
  'POST /api/billing-health/marks': write('billing_mark.create'),
  'DELETE /api/billing-health/marks/{id}': write('billing_mark.delete'),

  'GET /api/segments': NUMBERS,
  'GET /api/segments/fields': personal,
  'GET /api/segments/{id}': READ,
  'POST /api/segments': write('segment.create'),
  'POST /api/segments/validate': personal,
  'PUT /api/segments/{id}': write('segment.update'),
  'DELETE /api/segments/{id}': write('segment.delete'),

  // Notes are free text.
  'GET /api/notes': READ,
  'GET /api/notes/{id}': READ,
  'POST /api/notes': write('note.create'),
  'PUT /api/notes/{id}': write('note.update'),
  'DELETE /api/notes/{id}': write('note.delete'),
  'GET /api/goals': NUMBERS,
  'GET /api/goals/{id}': READ,
  'POST /api/goals': write('goal.create'),
  'POST /api/goals/import': write('goal.import'),
  'PUT /api/goals/{id}': write('goal.update'),
  'DELETE /api/goals/{id}': write('goal.delete'),

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
  // All workspaces of the store share exchange rates.
  'POST /api/fx/rates/import': admin('fx_rate.import'),
  'POST /api/fx/fetch/ecb': admin('fx_rate.fetch'),

  // Each user's own, and with `read` those that are visible to the workspace.
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

  // They have mail addresses.
  'GET /api/deliveries': READ,
  'POST /api/deliveries': write('delivery.create'),
  'GET /api/deliveries/{id}': READ,
  'PUT /api/deliveries/{id}': write('delivery.update'),
  'DELETE /api/deliveries/{id}': write('delivery.delete'),
  'GET /api/deliveries/{id}/runs': READ,
  'POST /api/deliveries/{id}/test': write('delivery.test'),
  // It names customers.
  'POST /api/deliveries/{id}/preview': personal,
  // Changes of links record themselves, because the command line can make them too.
  'GET /api/links': READ,
  'POST /api/links': { ...write('link.create'), isRecorded: true },
  'DELETE /api/links/{id}': { ...write('link.revoke'), isRecorded: true },
  // The token of a link is checked. Each opening records itself.
  'GET /api/shared': { needs: 'public', isRecorded: true },
  'GET /shared': PUBLIC,
  'GET /feed/{file}': { needs: 'public', isRecorded: true },

  'GET /api/sources': READ,
  'POST /api/sources': admin('source.create'),
  'DELETE /api/sources/{id}': admin('source.disconnect'),
  'POST /api/sources/{id}/backfill': write('source.backfill'),
  'GET /api/sources/{id}/dead-letters': READ,
  'POST /api/sources/{id}/dead-letters/retry': write('dead_letter.retry'),
  'DELETE /api/sources/{id}/dead-letters/{letter}': write('dead_letter.drop'),
  'GET /api/connectors/{type}/oauth/start': admin('source.consent'),
  // The platform redirects the browser here. The cookie and the state of the start are checked.
  'GET /api/connectors/{type}/oauth/callback': { needs: 'public', action: 'source.connect' },
  // The signature is checked.
  'POST /api/webhooks/{address}': PUBLIC,
}
