import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { VERIFIER_TOKEN } from './connected-platform.ts'
import { fillWithSamples } from './sample-books.ts'
import { startIntuit } from './server.ts'
import { type Change, cloudEvents, eventNotifications, sendWebhook } from './webhook.ts'

/**
 * The double by hand, with the sample documents in its books:
 *
 *     npx tsx test/support/product/intuit/run-by-hand.ts --port 8765 --plumbline http://127.0.0.1:8000
 *
 * It prints the configuration that leads to it; `serve` with that, and a browser at /api/connectors/quickbooks/oauth/start, go through
 * the whole consent. Commands: `bill <amount>` books a bill and tells of it, `delete <id>` deletes one, `older` tells in the older format
 * from then on, `expire` ends the access tokens, `end` ends the connection.
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '8765' }, plumbline: { type: 'string', default: 'http://127.0.0.1:8000' } },
})
const REALM = '4620'
const redirectUri = `${values.plumbline}/api/connectors/quickbooks/oauth/callback`
const intuit = await startIntuit({ port: Number(values.port), realms: [REALM, '9130'], app: { redirectUris: [redirectUri] } })
const books = intuit.company(REALM)
fillWithSamples(books)

const say = (text: string) => process.stdout.write(`${text}\n`)
say(`[quickbooks]
client_id = "${intuit.app.clientId}"
client_secret = "${intuit.app.clientSecret}"
redirect_uri = "${redirectUri}"
verifier_token = "${VERIFIER_TOKEN}"
api_url = "${intuit.url}"
discovery_url = "${intuit.discoveryUrl}"
`)
say(`Open ${values.plumbline}/api/connectors/quickbooks/oauth/start in a browser.`)

let format = cloudEvents
async function tell(change: Omit<Change, 'realm' | 'entity'>): Promise<void> {
  const { status, text } = await sendWebhook(
    `${values.plumbline}/api/webhooks/quickbooks`,
    format([{ realm: REALM, entity: 'Bill', ...change }], VERIFIER_TOKEN),
  )
  say(`webhook: ${status} ${text}`)
}

const commands: Readonly<Record<string, (argument: string) => Promise<void> | void>> = {
  async bill(amount) {
    const detail = { AccountRef: { value: '7', name: 'Advertising' } }
    const line = {
      Id: '1',
      Amount: Number(amount),
      DetailType: 'AccountBasedExpenseLineDetail',
      AccountBasedExpenseLineDetail: detail,
    }
    const VendorRef = { value: '46', name: 'Norton Lumber and Building Materials' }
    const TxnDate = new Date().toISOString().slice(0, 10)
    const id = books.put('Bill', { TxnDate, VendorRef, TotalAmt: Number(amount), Balance: Number(amount), Line: [line] })
    say(`bill ${id}`)
    await tell({ id, operation: 'Create' })
  },
  async delete(id) {
    books.remove('Bill', id)
    await tell({ id, operation: 'Delete' })
  },
  older() {
    format = eventNotifications
  },
  expire: () => intuit.authority.expireAccess(),
  end: () => {
    intuit.authority.expireAccess()
    intuit.authority.expireRefresh()
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', argument = ''] = line.trim().split(/\s+/)
  const command = commands[name]
  try {
    if (command === undefined) say(`Commands: ${Object.keys(commands).join(', ')}`)
    else await command(argument)
  } catch (error) {
    say(String(error))
  }
}
await intuit.stop()
