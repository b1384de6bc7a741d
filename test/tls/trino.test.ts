import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { AppError } from '../../src/core/errors.ts'
import { createTrinoExecutor } from '../../src/databases/trino/trino.ts'
import { startTrinoDouble, type TrinoDouble } from '../support/databases/servers/trino-double.ts'
import { type Certificate, makeAuthority, type PrivateAuthority } from '../support/databases/tls/private-authority.ts'

const run = promisify(execFile)
const ASK = { text: 'select n from t', values: [], label: 'test' }

let folder: string
let authority: PrivateAuthority
let stranger: PrivateAuthority
let double: TrinoDouble
const servers: Server[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pl-trino-tls-'))
  const workshop = { folder, run: (program: string, words: readonly string[]) => run(program, [...words]) }
  authority = await makeAuthority(workshop as never, 'authority')
  stranger = await makeAuthority(workshop as never, 'stranger')
  double = await startTrinoDouble()
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await double.close()
  await rm(folder, { recursive: true })
})

/** A proxy with TLS before the double. It passes on requests, and answers with its own origin. */
async function listen({ certificate, key }: Certificate, asksForCertificate = false): Promise<number> {
  const options = {
    cert: await readFile(certificate),
    key: await readFile(key),
    ...(asksForCertificate ? { requestCert: true, rejectUnauthorized: true, ca: await readFile(authority.root) } : {}),
  }
  const server = createServer(options, (request, response) => {
    const headers = { ...(request.headers as Record<string, string>) }
    for (const name of ['host', 'connection', 'content-length']) delete headers[name]
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = 'GET', url = '/' } = request
      const answer = await fetch(`${double.origin}${url}`, {
        method,
        headers,
        ...(method === 'POST' && { body: Buffer.concat(chunks) }),
      })
      response.end((await answer.text()).replaceAll(double.origin, `https://${request.headers.host}`))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return (server.address() as AddressInfo).port
}

async function ask(port: number, query: string, host = 'localhost'): Promise<unknown> {
  const executor = createTrinoExecutor({ url: `trino://reader:hush@${host}:${port}/lake/billing?${query}`, dialect: trino })
  try {
    return await executor.withSnapshot((snapshot) => snapshot.query(ASK))
  } catch (error) {
    return error instanceof AppError ? error.operatorDetail : error
  } finally {
    await executor.close()
  }
}

describe('TLS to Trino', () => {
  it('proves host and issuer, and then logs in', async () => {
    const port = await listen(await authority.sign('good', { hosts: ['localhost'] }))
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      double.play({})
      expect(await ask(port, `sslmode=${mode}&sslrootcert=${authority.root}`)).toEqual([{ n: 'a' }])
      expect(double.seen.at(-1)?.headers['authorization']).toMatch(/^Basic /)
    }
    double.play({})
    expect(await ask(port, 'sslmode=require')).toEqual([{ n: 'a' }])
    expect(await ask(port, `sslmode=verify-full&sslrootcert=${stranger.root}`)).toContain(
      "sslmode=verify-full: the server's certificate is signed by none of the authorities in",
    )
    expect(await ask(port, `sslmode=require&sslrootcert=${stranger.root}`)).toContain('signed by none')
    double.play({})
    expect(await ask(port, 'sslmode=verify-full')).toContain('signed by none of the authorities that this machine trusts')
    expect(double.seen).toEqual([])
  })

  it('refuses a certificate for another host, unless the address asks for the issuer alone', async () => {
    const port = await listen(await authority.sign('other', { hosts: ['other.example'] }))
    double.play({})
    expect(await ask(port, `sslmode=verify-full&sslrootcert=${authority.root}`)).toContain(
      "the server's certificate is for other hosts than localhost",
    )
    expect(double.seen).toEqual([])
    expect(await ask(port, `sslmode=verify-ca&sslrootcert=${authority.root}`)).toEqual([{ n: 'a' }])
  })

  it('refuses a certificate that has expired', async () => {
    const port = await listen(await authority.sign('old', { hosts: ['localhost'], hasExpired: true }))
    expect(await ask(port, `sslrootcert=${authority.root}`)).toContain('has expired')
  })

  it('shows the certificate of the client', async () => {
    const port = await listen(await authority.sign('strict', { hosts: ['localhost'] }), true)
    const own = await authority.sign('reader', { client: 'reader' })
    const root = `sslrootcert=${authority.root}`
    expect(await ask(port, `${root}&sslcert=${own.certificate}&sslkey=${own.key}`)).toEqual([{ n: 'a' }])
    double.play({})
    // The server closes the connection with its refusal, so that the refusal may be lost.
    expect(await ask(port, root)).toMatch(
      /the server demands a certificate of the client; name it in sslcert and sslkey|ECONNRESET/,
    )
    const foreign = await stranger.sign('reader', { client: 'reader' })
    expect(await ask(port, `${root}&sslcert=${foreign.certificate}&sslkey=${foreign.key}`)).toMatch(
      /the server does not accept the certificate in|ECONNRESET/,
    )
    expect(double.seen).toEqual([])
  })

  it('names a port without TLS', async () => {
    const port = Number(new URL(double.origin).port)
    expect(await ask(port, 'sslmode=require')).toContain('the port answers without TLS, which sslmode=require demands')
  })
})
