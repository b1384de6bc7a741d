import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readCatalogDocuments } from '../../connectors/killbill/catalog/documents.ts'
import { childCommand } from '../support/product/child-program.ts'
import { seenInErrors, startProduct } from '../support/product/product-process.ts'

const CHILD = fileURLToPath(new URL('stuck-child.ts', import.meta.url))

it.skipIf(process.platform === 'win32')('a process that waits for ever ends after SIGTERM all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pl-stuck-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  try {
    const started = await startProduct([...(await childCommand(CHILD)), pipe], [])
    await seenInErrors(started, /(stuck)/)
    started.child.kill('SIGTERM')
    await started.exit
    expect(started.child.signalCode).toBe('SIGKILL')
    expect(started.output.stderr).toBe(
      'stuck\nasked to stop\nerror: The process did not end within 15 s, so it stops without waiting any longer.\n',
    )
    await expect(readCatalogDocuments([pipe])).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: `connector.catalog: ${pipe} cannot be read: it is no file`,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
