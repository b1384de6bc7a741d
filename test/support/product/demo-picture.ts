import { terminalPicture } from './terminal-picture.ts'

/** Picture of the README. */
export const DEMO_PICTURE = 'docs/demo.svg'

/** The picture of what the demo prints, without the further questions at its end. */
export function pictureOf(stdout: string): string {
  return terminalPicture('npm ci && npm run demo', stdout.split('\nMore to try')[0] ?? '')
}
