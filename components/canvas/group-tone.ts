import type { GroupColour } from '@/lib/cards/canvas-settings';

/** Returns the colour of a group as a CSS value of the theme. */
export function groupTone(colour: GroupColour | undefined): string {
  switch (colour) {
    case 'blue':
      return 'var(--busy)';
    case 'green':
      return 'var(--ok)';
    case 'amber':
      return 'var(--warn)';
    case 'red':
      return 'var(--bad)';
    case 'violet':
      return 'var(--model)';
    case 'grey':
    case undefined:
      return 'var(--muted)';
  }
}
