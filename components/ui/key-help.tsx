'use client';

import { Dialog } from './dialog';
import { Keys } from './kbd';

/** A group of keys with a title. `Mod` is Ctrl, or ⌘ on a Mac. */
export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}

export interface KeyHelpProps {
  readonly groups: readonly KeyGroup[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shows every key of a page. */
export function KeyHelp({ groups, open, onOpenChange }: KeyHelpProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys" width="md">
      {/* It has nothing else that takes the focus, so that the keyboard can scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls */}
      <div tabIndex={0} className="-m-2 gap-8 rounded p-2 sm:columns-2">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs font-medium text-muted">{group.title}</h3>
            <dl>
              {group.keys.map(([keys, what]) => (
                <div key={keys} className="flex items-center justify-between gap-3 py-0.5 text-sm">
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
