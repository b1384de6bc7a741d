import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const ROOT = new URL('../..', import.meta.url)

/** The page, and the page of links: sources in src/web, built into dist/web, from where the service reads it. Every address in it is relative to `<base>`. */
export default defineConfig({
  root: fileURLToPath(new URL('src/web', ROOT)),
  base: './',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: fileURLToPath(new URL('dist/web', ROOT)),
    emptyOutDir: true,
    target: 'es2022',
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    // A file as text in a style or script would not pass the page's policy, and could not be kept.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: ['index.html', 'shared.html'].map((name) => fileURLToPath(new URL(`src/web/${name}`, ROOT))),
      onwarn: (warning, tell) => {
        // Directives for servers that render components, of which there is none.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') tell(warning)
      },
    },
  },
})
