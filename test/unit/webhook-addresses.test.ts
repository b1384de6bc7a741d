import { expect, it } from 'vitest'
import { isPrivate, PrivateHost, publicOnly } from '../../src/app/channels/private-hosts.ts'
import { webhookProblem } from '../../src/app/channels/webhook.ts'

it.each([
  ...[
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
  ...[
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '64:ff9b::7f00:1',
  ],
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '2001:db8::1', '2002:7f00:1::', '2001::1', 'no address'],
])('counts %s as private', (address) => expect(isPrivate(address)).toBe(true))

it.each(['8.8.8.8', '172.32.0.1', '172.15.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  'counts %s as of the internet',
  (address) => expect(isPrivate(address)).toBe(false),
)

it.each([
  ['http://hooks.example.com/a', 'it must begin with https://'],
  ['http://127.0.0.1/a', 'it must begin with https://'],
  ['ftp://hooks.example.com', 'it must begin with https://'],
  ['file:///etc/passwd', 'it must begin with https://'],
  ['https://user:secret@hooks.example.com/', 'it must have no user'],
  ['https://hooks.example.com/#a', 'no fragment'],
  ['https://127.0.0.1/', 'private network'],
  ['https://2130706433/', 'private network'],
  ['https://0x7f.1/', 'private network'],
  ['https://[::1]/', 'private network'],
  ['https://[::ffff:127.0.0.1]/', 'private network'],
  ['https://localhost/', 'private network'],
  ['https://localhost./', 'private network'],
  ['https://169.254.169.254/latest/meta-data', 'private network'],
  ['nothing', 'it is no address'],
])('refuses the address %s, and quotes no part of it', (address, message) => {
  const problem = webhookProblem(address, { hosts: [] })
  expect(problem).toContain(message)
  expect(problem).not.toMatch(/secret|meta-data|passwd/)
})

it('takes https addresses of the internet, and named hosts of private networks', () => {
  expect(webhookProblem('https://hooks.slack.com/services/T0/B0/x', { hosts: [] })).toBeUndefined()
  expect(webhookProblem('https://hooks.internal:8443/x', { hosts: ['hooks.internal'] })).toBeUndefined()
  expect(webhookProblem('https://10.0.0.5/x', { hosts: ['10.0.0.5'] })).toBeUndefined()
  expect(webhookProblem('http://127.0.0.1:8080/x', { hosts: ['127.0.0.1'] })).toBeUndefined()
  // Without TLS only on this machine.
  expect(webhookProblem('http://10.0.0.5/x', { hosts: ['10.0.0.5'] })).toContain('https')
})

type Answers = readonly { readonly address: string; readonly family: number }[]
const resolved = (answers: Answers, all: boolean) =>
  new Promise((resolve, reject) => {
    const look = publicOnly(((_name: string, _options: object, done: (error: null, found: Answers) => void) =>
      done(null, answers)) as never)
    look('hooks.example.com', { all }, (error, address, family) => (error === null ? resolve([address, family]) : reject(error)))
  })

it('connects to no private address, also if only one of several is private', async () => {
  const [outside, inside] = [
    { address: '93.184.215.14', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  expect(await resolved([outside], false)).toEqual(['93.184.215.14', 4])
  expect(await resolved([outside], true)).toEqual([[outside], undefined])
  await expect(resolved([inside], false)).rejects.toThrow(PrivateHost)
  await expect(resolved([outside, inside], true)).rejects.toThrow(PrivateHost)
  await expect(resolved([], true)).rejects.toThrow(PrivateHost)
})
