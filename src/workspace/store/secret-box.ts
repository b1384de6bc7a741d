import { onDemand } from '../../core/on-demand.ts'
import type { SecretBox } from '../../ports/source-store.ts'
import type { KeySource } from './secret-key.ts'

const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * Seals with AES-256-GCM. The purpose is part of the sealed text. If the text is moved to another row, it cannot be opened there.
 */
export function createSecretBox(key: KeySource): SecretBox {
  return {
    async seal(secrets, purpose) {
      const { CompactEncrypt } = await jose()
      const text = new TextEncoder().encode(JSON.stringify({ purpose, secrets }))
      return new CompactEncrypt(text).setProtectedHeader(ALGORITHM).encrypt(await key.wanted())
    },
    async open(sealed, purpose) {
      const present = await key.present()
      if (present === undefined) return undefined
      const text = await decrypted(sealed, present)
      if (text === undefined) return undefined
      const content = JSON.parse(text) as { readonly purpose: string; readonly secrets: Readonly<Record<string, unknown>> }
      return content.purpose === purpose ? content.secrets : undefined
    },
  }
}

// Only sources have secrets.
const jose = onDemand(() => import('jose'))

async function decrypted(sealed: string, key: Uint8Array): Promise<string | undefined> {
  const { compactDecrypt, errors } = await jose()
  try {
    const algorithms = { keyManagementAlgorithms: [ALGORITHM.alg], contentEncryptionAlgorithms: [ALGORITHM.enc] }
    return new TextDecoder().decode((await compactDecrypt(sealed, key, algorithms)).plaintext)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
