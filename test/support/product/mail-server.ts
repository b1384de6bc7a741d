import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export const MAIL_USER = { user: 'plumbline', pass: 'hidden:pass/word' }

/** A received mail with its envelope. */
export interface Received {
  readonly to: readonly string[]
  readonly mail: Email
}

/** A real SMTP server that takes mails from one user. It refuses recipients that begin with `gone`. */
export async function mailServer() {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (given, _session, done) =>
      given.username === MAIL_USER.user && given.password === MAIL_USER.pass
        ? done(null, { user: given.username })
        : done(new Error('Authentication failed')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('gone') ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })) : done(),
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(pieces)).then((mail) => {
          received.push({ to: envelope.rcptTo.map(({ address }) => address), mail })
          done()
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const { user, pass } = MAIL_USER
  return {
    url: `smtp://${user}:${encodeURIComponent(pass)}@127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
