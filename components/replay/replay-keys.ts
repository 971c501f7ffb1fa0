/** What a key does to the play-head. `event` and `lane` step to the next event, of the run or of one instance. */
export type ReplayKey =
  | { readonly do: 'toggle' | 'start' | 'end' }
  | { readonly do: 'event' | 'lane' | 'error'; readonly by: 1 | -1 };

interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** Returns what a key stands for on the page of a run, or `undefined` if the play-head does not know it. */
export function replayKey({ key, shiftKey }: Press): ReplayKey | undefined {
  switch (key) {
    case ' ':
      return shiftKey ? undefined : { do: 'toggle' };
    case 'Home':
      return shiftKey ? undefined : { do: 'start' };
    case 'End':
      return shiftKey ? undefined : { do: 'end' };
    case 'ArrowRight':
    case 'ArrowLeft':
      return { do: shiftKey ? 'lane' : 'event', by: key === 'ArrowRight' ? 1 : -1 };
    case 'e':
    case 'E':
      return { do: 'error', by: shiftKey ? -1 : 1 };
    default:
      return undefined;
  }
}

const typing =
  'input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox]';
const layers = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const movers = 'input[type=range], input[type=radio], [role=slider], [role=tab], [role=separator], [role=radio]';
const pressed = 'button, summary, input[type=checkbox], [role=button], [role=tab], [role=switch], [role=checkbox]';
const movingKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** True if the focused element does something of its own with the key, such as a field in which somebody types. */
export function hasOwnUse(target: Pick<Element, 'closest'>, { key }: Pick<Press, 'key'>): boolean {
  if (target.closest(typing) !== null || target.closest(layers) !== null) return true;
  if (movingKeys.has(key)) return target.closest(movers) !== null;
  return key === ' ' && target.closest(pressed) !== null;
}
