'use client';

import { type KeyGroup, KeyHelp } from '@/components/ui/key-help';

/** The keys that `keyAction` of the timeline and the panes handle, as the help shows them. */
const groups: readonly KeyGroup[] = [
  {
    title: 'Replay',
    keys: [
      ['Space', 'Play or pause'],
      ['←+→', 'Event before or after'],
      ['Shift+←+→', 'The same in the chosen instance'],
      ['E', 'Next error'],
      ['Shift+E', 'Error before'],
      ['Home+End', 'Start or end of the run'],
    ],
  },
  {
    title: 'Instances',
    keys: [
      ['↑+↓', 'Another instance'],
      ['Shift+Home+End', 'First or last instance'],
      ['Enter', 'Fold, or select'],
      ['/', 'Search the run'],
      ['L', 'Next slowest step'],
      ['Shift+F10', 'Menu of the bar or instance'],
      ['Escape', 'Select nothing'],
    ],
  },
  {
    title: 'Time',
    keys: [
      ['W', 'Zoom in'],
      ['S', 'Zoom out'],
      ['A', 'Earlier'],
      ['D', 'Later'],
      ['F', 'Whole run'],
      ['Z', 'Only the selection'],
    ],
  },
  {
    title: 'History',
    keys: [['↑+↓', 'Another row']],
  },
  {
    title: 'Everywhere',
    keys: [['?', 'All keys']],
  },
];

/** Shows every key of the page of a run. */
export function RunKeyHelp({ onClose }: { readonly onClose: () => void }) {
  return <KeyHelp groups={groups} open onOpenChange={(open) => !open && onClose()} />;
}
