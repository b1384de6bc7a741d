import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import {
  type AccountingPlatform,
  AppError,
  type BillRecord,
  type DeletedRecord,
  type ExpenseConnector,
  type ExpenseRecord,
  reconnectNeeded,
  type SourceAccess,
  type VendorRecord,
} from '../../../../src/connector-kit/index.ts'

/** How the toy platform is configured. */
export interface ToySettings {
  readonly url: string
  /** Of webhooks, hex HMAC-SHA256 in `x-webhook-signature`; absent: none. */
  readonly secret?: string | undefined
  readonly allowsUnsigned?: boolean
  /** User and password of webhooks. */
  readonly basic?: readonly [string, string]
  readonly redirectUri?: string
  readonly syncMinutes?: number
  readonly isConfigured?: boolean
}

const record = z.object({
  entity: z.enum(['Vendor', 'Bill']),
  id: z.string(),
  version: z.number(),
  amount: z.number().optional(),
  isGone: z.boolean().optional(),
})
const page = z.object({ records: z.array(record), next: z.number().nullable() })
const changes = z.object({ records: z.array(record), isComplete: z.boolean() })
const tokens = z.object({ access: z.string(), refresh: z.string() })
const webhook = z.object({
  events: z
    .array(z.object({ company: z.string().optional(), entity: z.string(), id: z.string(), operation: z.string() }))
    .default([]),
})

/** A platform in the style of most: consent, tokens that rotate, webhooks signed in hex. */
export function createToyPlatform(settings: ToySettings): AccountingPlatform {
  const { url, secret, basic, redirectUri = 'http://127.0.0.1/api/connectors/toy/oauth/callback' } = settings
  const isConfigured = settings.isConfigured ?? true
  const fetchTokens = async (query: string) => {
    const response = await fetch(`${url}/token?${query}`, { method: 'POST' })
    if (response.status === 400) throw reconnectNeeded('The toy takes the token no longer: connect again.')
    return tokens.parse(await response.json())
  }
  return {
    type: 'toy',
    isConfigured,
    missing: isConfigured ? [] : ['toy.client_id'],
    consent: {
      redirectUri,
      authorizeUrl: async (state) => `${url}/authorize?${new URLSearchParams({ state, redirect_uri: redirectUri })}`,
      complete: async (parameters) => {
        const code = parameters.get('code')
        if (code === null) throw new AppError('invalid_value', '"code" is missing.')
        return { ...company(parameters.get('company') ?? ''), secrets: await fetchTokens(`code=${code}`) }
      },
    },
    register: (config) => {
      const { company: id } = z.object({ company: z.string().optional() }).parse(config)
      return { ...(id === undefined ? { source_id: null, name: 'toy', config: {} } : company(id)), secrets: null }
    },
    webhooks: {
      signatureHeader: 'x-webhook-signature',
      hasSecret: secret !== undefined,
      allowsUnsigned: settings.allowsUnsigned ?? false,
      verifySignature(body, signature) {
        const expected = createHmac('sha256', secret ?? '')
          .update(body)
          .digest()
        const given = Buffer.from(signature, 'hex')
        return given.length === expected.length && timingSafeEqual(given, expected)
      },
      ...(basic === undefined
        ? {}
        : { verifyBasic: (user: string, password: string) => user === basic[0] && password === basic[1] }),
      notificationsOf(payload) {
        const events = webhook.safeParse(payload).data?.events ?? []
        const kept = events.filter(({ entity }) => entity === 'Vendor' || entity === 'Bill')
        const notifications = kept.map((event) => ({
          source_id: event.company === undefined ? undefined : `toy-${event.company}`,
          notification: { entity: event.entity, entity_id: event.id, operation: event.operation },
        }))
        return { notifications, ignored: events.length - kept.length }
      },
    },
    syncMinutes: settings.syncMinutes ?? 0,
    changesReachDays: 30,
    connect: (source) => connectorOf(url, source, (refresh) => fetchTokens(`refresh=${refresh}`)),
  }
}

function company(id: string) {
  return { source_id: `toy-${id}`, name: `Toy (${id})`, config: { company: id } }
}

function connectorOf(
  url: string,
  source: SourceAccess,
  refresh: (token: string) => Promise<z.infer<typeof tokens>>,
): ExpenseConnector {
  const get = async (path: string, signal?: AbortSignal, isSecond = false): Promise<Response> => {
    const { access } = tokens.parse(await source.secrets())
    const init = { headers: { authorization: `Bearer ${access}` }, ...(signal === undefined ? {} : { signal }) }
    const response = await fetch(`${url}/${path}`, init)
    if (response.status >= 500) throw new AppError('connector_unavailable', `The toy answers ${response.status}.`)
    if (response.status !== 401) return response
    if (isSecond) throw reconnectNeeded('The toy takes the token no longer: connect again.')
    await source.renew(async (present) => {
      const { access: other, refresh: token } = tokens.parse(present)
      return other === access ? refresh(token) : present
    })
    return get(path, signal, true)
  }
  return {
    async *backfill({ progress, signal }) {
      let from: number | null = z.object({ from: z.number() }).nullable().parse(progress)?.from ?? 0
      while (from !== null) {
        const { records, next }: z.infer<typeof page> = page.parse(await (await get(`pages?from=${from}`, signal)).json())
        yield { records: records.map(translated), progress: { from: next ?? from + records.length } }
        from = next
      }
    },
    async fetchAndTranslate({ entity, entity_id }, signal) {
      const response = await get(`records/${entity}/${entity_id}`, signal)
      if (response.status === 404) return []
      return [translated(record.parse(await response.json()))]
    },
    async changesSince(since, signal) {
      // Its versions are not instants: everything since the beginning is a superset of what has changed.
      const { records, isComplete } = changes.parse(await (await get(`changes?since=0&from=${since}`, signal)).json())
      return { records: records.map(translated), isComplete }
    },
    async missing(kind, ids, signal) {
      const gone: DeletedRecord[] = []
      for (const external_id of kind === 'bill' ? ids : []) {
        const { status } = await get(`records/Bill/${external_id}`, signal)
        if (status === 404) gone.push({ kind, external_id, updated_at: new Date().toISOString() })
      }
      return gone
    },
    normalizeAccountType: () => 'expense',
    normalizeBillStatus: () => 'open',
    normalizePaymentType: () => 'other',
    extractDimensions: () => ({}),
    revoke: async () => void (await fetch(`${url}/revoke`, { method: 'POST' })),
  }
}

function translated({ entity, id, version, amount = 0, isGone = false }: z.infer<typeof record>): ExpenseRecord | DeletedRecord {
  const updated_at = new Date(Date.UTC(2026, 0, 1) + version * 1_000).toISOString()
  const shared = { external_id: id, updated_at, is_deleted: false, metadata: {} }
  if (entity === 'Vendor') {
    return { ...shared, kind: 'vendor', name: `Vendor ${id}`, is_active: true } satisfies VendorRecord
  }
  if (isGone) return { kind: 'bill', external_id: id, updated_at }
  return {
    ...shared,
    kind: 'bill',
    bill_kind: 'bill',
    status: 'open',
    number: id,
    vendor_external_id: null,
    document_date: '2026-01-15',
    due_date: null,
    currency: 'USD',
    home_currency: 'USD',
    exchange_rate: null,
    total_cents: amount,
    balance_cents: amount,
    lines: [
      {
        line_id: '1',
        account_external_id: null,
        item_external_id: null,
        description: null,
        amount_cents: amount,
        dimensions: {},
        metadata: {},
      },
    ],
  } satisfies BillRecord
}
