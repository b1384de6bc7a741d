import { Menu } from '@base-ui/react/menu'
import { useState } from 'react'
import { callOf, curlOf, type Question } from '../api/question.ts'
import { copyText } from './copy-text.ts'
import { Definition } from './definition.tsx'
import { download } from './download-link.tsx'
import { saveFile } from './save-file.ts'

interface CardMenuProps {
  readonly title: string
  readonly question: Question
  /** The chart as a picture, where one is shown. */
  readonly png: (() => Promise<Blob | null>) | undefined
}

/** What can be taken along of a chart or table. */
export function CardMenu({ title, question, png }: CardMenuProps) {
  const [isDefined, setDefined] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(curlOf(question))
    setCopied(true)
  }
  return (
    <>
      <Menu.Root onOpenChange={() => setCopied(false)}>
        <Menu.Trigger className="button is-quiet is-square" aria-label={`More options for ${title}`}>
          ⋯
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="positioner">
            <Menu.Popup className="menu">
              <Menu.LinkItem
                className="menu-item"
                href={callOf(question, 'csv').url}
                download
                onClick={(event) => void download(event, question, 'csv')}
              >
                Download CSV
              </Menu.LinkItem>
              <Menu.LinkItem
                className="menu-item"
                href={callOf(question, 'xlsx').url}
                download
                onClick={(event) => void download(event, question, 'xlsx')}
              >
                Download Excel
              </Menu.LinkItem>
              {png !== undefined && (
                <Menu.Item className="menu-item" onClick={() => void png().then((picture) => save(picture, title))}>
                  Download PNG
                </Menu.Item>
              )}
              <Menu.Separator className="menu-line" />
              <Menu.Item className="menu-item" closeOnClick={false} onClick={() => void copy()}>
                {isCopied ? 'Copied' : 'Copy API call'}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => setDefined(true)}>
                Definition
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {isDefined && <Definition path={question.path} onClose={() => setDefined(false)} />}
    </>
  )
}

function save(picture: Blob | null, title: string): void {
  if (picture !== null) saveFile(picture, `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`)
}
