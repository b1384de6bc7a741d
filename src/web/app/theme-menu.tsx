import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { chooseTheme, THEMES, useTheme } from './theme.ts'

const CHOICES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Light or dark, or as the system has it. */
export function ThemeMenu() {
  const { choice } = useTheme()
  const choose = (value: string) => chooseTheme(THEMES.find((theme) => theme === value) ?? 'system')
  return (
    <div className="side-foot">
      <ChoiceMenu label="Theme" value={choice} choices={CHOICES} onChoose={choose} />
    </div>
  )
}
