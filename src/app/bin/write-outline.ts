import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { manualPage } from '../../facades/cli/help.ts'
import { makeOutline, OUTLINE_FILE } from './outline.ts'
import { createProduct } from './product.ts'

// The last step of the build: what the command line says of itself is written down beside the program, for it and for `man`.
const outline = await makeOutline()
await writeFile(OUTLINE_FILE, JSON.stringify(outline))
await writeFile(fileURLToPath(new URL('plumbline.1', import.meta.url)), manualPage(outline, createProduct().version))
