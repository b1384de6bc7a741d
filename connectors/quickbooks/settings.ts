import * as z from 'zod'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Tokens travel to these addresses, so the connection must be encrypted or stay on this machine. */
const safeAddress = z
  .string()
  .refine(isSafeAddress, 'must be an address that begins with https:// (http:// only on this machine)')

const CALLBACK = '/api/connectors/quickbooks/oauth/callback'

const redirectAddress = safeAddress.refine((text) => text.endsWith(CALLBACK), `must end in ${CALLBACK}`)

/** Section `quickbooks` of a configuration (docs/expenses.md). */
export const SETTINGS = z
  .strictObject({
    client_id: z.string().min(1).optional().describe('Client id of the Intuit app').meta({ example: 'ABc1…' }),
    client_secret: z
      .string()
      .min(1)
      .optional()
      .describe('Client secret of the Intuit app')
      .meta({ example: 'from the same page' }),
    redirect_uri: redirectAddress
      .optional()
      .describe('Where Intuit sends the browser back to, as it stands in the settings of the Intuit app')
      .meta({ example: 'https://plumbline.example.com/api/connectors/quickbooks/oauth/callback' }),
    verifier_token: z
      .string()
      .min(1)
      .optional()
      .describe('Token that signs the webhooks; without it they are refused')
      .meta({ example: 'from the page of its webhooks' }),
    environment: z.enum(['production', 'sandbox']).default('production').describe('Which of Intuit’s environments'),
    api_url: safeAddress
      .optional()
      .describe('Address of the accounting API; absent: that of the environment')
      .meta({ example: 'https://quickbooks.api.intuit.com' }),
    discovery_url: safeAddress
      .optional()
      .describe('Address of Intuit’s discovery document; absent: that of the environment')
      .meta({ example: 'https://developer.api.intuit.com/.well-known/openid_configuration' }),
    sync_minutes: z
      .int()
      .min(0)
      .max(43_200)
      .default(60)
      .describe('Minutes between two readings of changes while serving; 0: only webhooks and backfills'),
    allow_unsigned: z.boolean().default(false).describe('Whether webhooks pass that nobody has signed; for tests only'),
  })
  .describe('QuickBooks Online: the app registered at developer.intuit.com (docs/expenses.md).')

export type QuickbooksSettings = z.output<typeof SETTINGS>

const ENVIRONMENTS = {
  production: {
    api_url: 'https://quickbooks.api.intuit.com',
    discovery_url: 'https://developer.api.intuit.com/.well-known/openid_configuration',
  },
  sandbox: {
    api_url: 'https://sandbox-quickbooks.api.intuit.com',
    discovery_url: 'https://developer.api.intuit.com/.well-known/openid_sandbox_configuration',
  },
} as const

/** Addresses of the accounting API and of the discovery document. */
export function addressesOf(settings: QuickbooksSettings): { readonly api: string; readonly discovery: string } {
  const preset = ENVIRONMENTS[settings.environment]
  return {
    api: (settings.api_url ?? preset.api_url).replace(/\/+$/, ''),
    discovery: settings.discovery_url ?? preset.discovery_url,
  }
}

/** The settings that a connection needs. Undefined if one of them is missing. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** The credentials, or the keys that are missing. */
export function credentialsOf(settings: QuickbooksSettings): Credentials | { readonly missing: readonly string[] } {
  const { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri } = settings
  if (clientId !== undefined && clientSecret !== undefined && redirectUri !== undefined)
    return { clientId, clientSecret, redirectUri }
  const keys = ['client_id', 'client_secret', 'redirect_uri'] as const
  return { missing: keys.filter((key) => settings[key] === undefined).map((key) => `quickbooks.${key}`) }
}

/** True if tokens may be sent to that address. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}
