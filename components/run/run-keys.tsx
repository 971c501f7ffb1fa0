'use client';

import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import type { KeyGroup } from '@/components/ui/key-help';
import { later } from '@/components/ui/later';
import { isTyping } from '@/components/ui/typing';

const KeyHelp = later(async () => (await import('@/components/ui/key-help')).KeyHelp, null);

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

/** A button, and the key `?`, that show the keys of the run page. */
export function RunKeys() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== '?' || event.ctrlKey || event.metaKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      setShown(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <span className="max-sm:hidden">
        <IconButton size="sm" label="Keys" keys="?" icon={<Keyboard aria-hidden />} onClick={() => setShown(true)} />
      </span>
      {shown && <KeyHelp groups={groups} open onOpenChange={setShown} />}
    </>
  );
}
