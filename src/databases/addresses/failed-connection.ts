import { NO_PUBLIC_KEY } from './mysql-client.ts'
import { NO_TLS } from './postgres-socket.ts'
import type { ServerAddress } from './server-address.ts'

/** ER_SECURE_TRANSPORT_REQUIRED, ER_ACCESS_DENIED_ERROR. */
const [SECURE_TRANSPORT_REQUIRED, ACCESS_DENIED] = [3159, 1045]

/** Texts and codes of OpenSSL about a certificate. One of the drivers passes on only the text. */
const UNTRUSTED =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|self-signed certificate|unable to get (local )?issuer certificate|unable to verify the first certificate/
const OTHER_NAME = /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/
const EXPIRED = /CERT_HAS_EXPIRED|certificate has expired/
const NOT_YET = /CERT_NOT_YET_VALID|certificate is not yet valid/
const REVOKED = /CERT_REVOKED|certificate revoked|CRL/
const CLIENT_CERTIFICATE =
  /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+)|alert (unknown ca|bad certificate|certificate \w+)|client certificate/i
/** The answer to the first packet of TLS is in clear text. */
const CLEAR_TEXT = /wrong version number|WRONG_VERSION_NUMBER|packet length too long/
const NO_COMMON_VERSION = /ERR_SSL_(UNSUPPORTED_PROTOCOL|WRONG_VERSION_NUMBER|\w*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE))/

/**
 * Explains a failed connection to the person who runs the process, if TLS is the cause: the mode of the address and the remedy.
 * Undefined for other failures.
 */
export function tlsFailure(error: unknown, address: ServerAddress): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { mode, demand } = address.tls
  const code = 'code' in error ? String(error.code) : ''
  const number = 'errno' in error ? error.errno : undefined
  const said = `${code} ${error.message}`
  const words = WORDS[address.kind]
  if (code === NO_TLS || code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return `the server offers no TLS, which ${mode} demands; switch TLS on at the server`
  if (code === NO_PUBLIC_KEY)
    return `the server asks for the password over a connection without TLS (${mode}); use ssl-mode=VERIFY_CA with ssl-ca, or get-server-public-key=true in a network that you trust`
  if (number === SECURE_TRANSPORT_REQUIRED || (code === '28000' && /no encryption|SSL off/i.test(error.message)))
    return demand === 'if_offered' || demand === 'if_refused'
      ? `the server allows only encrypted connections, and offers no TLS that ${mode} could use`
      : `the server allows only encrypted connections, and ${mode} asks for none; use ${words.proven}`
  if (CLIENT_CERTIFICATE.test(said)) return certificateWanted(address)
  if (OTHER_NAME.test(said))
    return `${mode}: the server's certificate is for other hosts than ${address.host}; connect by a name that it lists, or use ${words.issuer}, which does not compare names`
  if (UNTRUSTED.test(said))
    return `${mode}: the server's certificate is signed by none of ${trusted(address)}; name the file of its authority in ${words.root}`
  if (EXPIRED.test(said)) return `${mode}: the server's certificate or that of its authority has expired; renew it at the server`
  if (NOT_YET.test(said)) return `${mode}: the server's certificate is not valid yet; compare the clocks of both machines`
  if (REVOKED.test(said))
    return `${mode}: the server's certificate is revoked, or ${words.revoked} does not speak of its authority`
  if (address.kind === 'trino' && CLEAR_TEXT.test(said))
    return `the port answers without TLS, which ${mode} demands; name the port of HTTPS`
  if (NO_COMMON_VERSION.test(said))
    return `${mode}: the server and Plumbline have no version of TLS in common; Plumbline speaks TLS 1.2 and 1.3`
  if (code === '28000' && demand === 'never')
    return `wrong user, or not allowed from here; the server may demand TLS, and ${mode} asks for none`
  if (number === ACCESS_DENIED) return deniedLogin(address)
  return undefined
}

const WORDS = {
  postgres: {
    proven: 'sslmode=verify-full with sslrootcert',
    issuer: 'sslmode=verify-ca',
    root: 'sslrootcert',
    files: 'sslcert and sslkey',
    revoked: 'sslcrl',
  },
  mysql: {
    proven: 'ssl-mode=VERIFY_IDENTITY with ssl-ca',
    issuer: 'ssl-mode=VERIFY_CA',
    root: 'ssl-ca',
    files: 'ssl-cert and ssl-key',
    revoked: 'the list',
  },
  trino: {
    proven: 'sslmode=verify-full',
    issuer: 'sslmode=verify-ca',
    root: 'sslrootcert',
    files: 'sslcert and sslkey',
    revoked: 'the list',
  },
} as const

function certificateWanted({ kind, tls: { mode, certificate } }: ServerAddress): string {
  const { files } = WORDS[kind]
  return certificate === undefined
    ? `the server demands a certificate of the client; name it in ${files}`
    : `the server does not accept the certificate in ${certificate.path} (${mode}); it must be valid, for this user, and signed by an authority of the server`
}

function trusted({ tls: { authorities } }: ServerAddress): string {
  if (authorities === undefined || authorities === 'system') return 'the authorities that this machine trusts'
  return `the authorities in ${authorities.path}`
}

// If an account demands TLS or a certificate (REQUIRE SSL, REQUIRE X509), the server reports a missing one as a wrong password.
// MariaDB also reports a wrong password if the server itself demands TLS.
function deniedLogin({ socket, tls: { mode, demand, certificate } }: ServerAddress): string {
  const denied = 'wrong user or password, or not allowed from here'
  if (socket !== undefined) return denied
  if (demand === 'never')
    return `${denied}; or the server or the account demands TLS, and ${mode} asks for none; use ${WORDS.mysql.proven}`
  return certificate === undefined
    ? `${denied}; or the account demands a certificate of the client (${WORDS.mysql.files})`
    : `${denied}; or the account demands another certificate of the client than that in ${certificate.path}`
}
