import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { manualPage } from '../../facades/cli/help.ts'
import { makeOutline, OUTLINE_FILE } from './outline.ts'
import { createProduct } from './product.ts'

// The last step of the build: writes the outline and the manual page next to the program.
const outline = await makeOutline()
await writeFile(OUTLINE_FILE, JSON.stringify(outline))
await writeFile(fileURLToPath(new URL('plumbline.1', import.meta.url)), manualPage(outline, createProduct().version))
