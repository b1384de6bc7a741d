import { Menu } from '@base-ui/react/menu'

interface Choice {
  readonly value: string
  readonly label: string
}

interface ChoiceMenuProps {
  /** Label in front of the choice. */
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChoose: (value: string) => void
  /** Text on the button, if it differs from the label of the choice. */
  readonly shown?: string
}

/** A button that shows the current choice and opens a menu with all choices. */
export function ChoiceMenu({ label, value, choices, onChoose, shown }: ChoiceMenuProps) {
  const text = shown ?? choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Menu.Root>
      <Menu.Trigger className="button control">
        <span className="control-label">{label}:</span> {text} <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="positioner">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={value} onValueChange={(chosen: string) => onChoose(chosen)}>
              {choices.map((choice) => (
                <Menu.RadioItem key={choice.value} value={choice.value} className="menu-item" closeOnClick>
                  <span className="menu-mark">
                    <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                  </span>
                  {choice.label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
