import { describe, expect, it } from 'vitest'
import { killbill } from '../../connectors/killbill/index.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const ACCOUNT = '0ba4791f-9345-4786-882c-5ed7b8247834'
const REFUSED =
  'connector.kaui_url (from PLUMBLINE_CONNECTOR_KAUI_URL): must be an absolute address such as https://kaui.example.com, without user name, password, query and fragment'

/** The link to an account, where the environment has this address of Kaui. */
function link(kaui_url: string | undefined, id = ACCOUNT, invoice?: string): string | undefined {
  const environment = { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_CONNECTOR_KAUI_URL: kaui_url }
  const { connector } = loadConfig({ environment, cwd: packageRoot(), home: undefined, config: null })
  return killbill.create(connector).customerUrl?.(id, invoice)
}

describe('connector.kaui_url', () => {
  it.each([
    ['https://kaui.example.com', `https://kaui.example.com/accounts/${ACCOUNT}`],
    ['https://kaui.example.com/', `https://kaui.example.com/accounts/${ACCOUNT}`],
    ['http://localhost:9090', `http://localhost:9090/accounts/${ACCOUNT}`],
    ['HTTP://10.0.0.7:8080/kaui', `http://10.0.0.7:8080/kaui/accounts/${ACCOUNT}`],
    ['https://[::1]:9090/billing/kaui//', `https://[::1]:9090/billing/kaui/accounts/${ACCOUNT}`],
    ['https://bücher.example/a"b', `https://xn--bcher-kva.example/a%22b/accounts/${ACCOUNT}`],
  ])('%s leads to the account', (kaui_url, address) => {
    expect(link(kaui_url)).toBe(address)
  })

  it('is optional: without it there is no link', () => {
    expect(link(undefined)).toBeUndefined()
  })

  it('leads to an invoice of the account', () => {
    expect(link('https://kaui.example.com/kaui', 'A', 'b/c')).toBe('https://kaui.example.com/kaui/accounts/A/invoices/b%2Fc')
  })

  it('takes an id as one part of the path', () => {
    expect(link('https://kaui.example.com', '../a?b#c d')).toBe('https://kaui.example.com/accounts/..%2Fa%3Fb%23c%20d')
  })

  it.each([
    'kaui.example.com',
    '/kaui',
    '//kaui.example.com',
    'https:kaui.example.com',
    'https://',
    'https:///kaui',
    'https://kaui.example.com:port',
    'javascript:alert(1)',
    'javascript://kaui.example.com/%0Aalert(1)',
    'data:text/html,x',
    'ftp://kaui.example.com',
    'https://admin@kaui.example.com',
    'https://admin:hush@kaui.example.com',
    'https://@kaui.example.com',
    'https://kaui.example.com/?tenant=1',
    'https://kaui.example.com?',
    'https://kaui.example.com/#accounts',
    'https://kaui.example.com\\@evil.example',
    'https://kaui.example.com/a b',
    'https://kaui.example.com\nhttps://evil.example',
  ])('%s is refused at the start, without a word of it', (kaui_url) => {
    expect(() => link(kaui_url)).toThrow(expect.objectContaining({ problems: [REFUSED] }))
  })
})
