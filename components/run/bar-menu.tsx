'use client';

import { FastForward, GitCompareArrows, Link2, Pin, Repeat, ZoomIn } from 'lucide-react';
import { useRef, useState } from 'react';
import type { BarMenuPlace } from '@/components/timeline/timeline-props';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { showToast } from '@/components/ui/toast';
import type { RunInfo } from '@/lib/client/run-info';
import type { Trace } from '@/lib/trace/trace';
import { againChoices } from './again-choices';
import { AgainDialog, type AgainDialogName } from './again-dialog';
import type { AgainServices } from './again-services';
import { useRunSight } from './run-sight';

export interface BarMenuProps {
  readonly trace: Trace;
  readonly at: BarMenuPlace;
  readonly info: Pick<RunInfo, 'id' | 'projectId'>;
  /** Unset for a run that goes on, or was recorded elsewhere. */
  readonly again: AgainServices | undefined;
  /** Returns the address of what the page shows, with the bar selected. */
  readonly address: () => string;
}

/** The menu of a bar, at the pointer or at the row of the bar. A dialog that it opens is a part of it. */
export function BarMenu({ trace, at, info, again, address }: BarMenuProps) {
  const [dialog, setDialog] = useState<AgainDialogName | undefined>(undefined);
  const [isOpen, setIsOpen] = useState(true);
  const sight = useRunSight();
  const chosen = useRef(false);
  const open = (name: AgainDialogName) => {
    chosen.current = true;
    setDialog(name);
  };
  const choices = againChoices(trace, at.span);
  return (
    <>
      {isOpen && (
        <Menu
          defaultOpen
          onClose={() => {
            if (chosen.current) setIsOpen(false);
            else at.onClose();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            at.onFocusBack();
          }}
          trigger={
            <button
              type="button"
              tabIndex={-1}
              aria-label="Menu of the bar"
              className="fixed size-px opacity-0"
              style={{ left: at.x, top: at.y }}
            />
          }
        >
          {again !== undefined && (
            <>
              <MenuItem icon={<FastForward aria-hidden />} onSelect={() => open('from')}>
                Run again from here
              </MenuItem>
              {choices.path !== undefined && (
                <MenuItem icon={<Repeat aria-hidden />} onSelect={() => open('instance')}>
                  Run this instance again
                </MenuItem>
              )}
              {choices.isAnsweredCall && (
                <MenuItem icon={<Pin aria-hidden />} onSelect={() => open('pin')}>
                  Pin result
                </MenuItem>
              )}
              <MenuSeparator />
            </>
          )}
          <MenuItem icon={<ZoomIn aria-hidden />} keys="Z" onSelect={at.onZoom}>
            Zoom to it
          </MenuItem>
          {sight === 'whole' && (
            <>
              <MenuItem icon={<Link2 aria-hidden />} onSelect={() => void copyLink(address())}>
                Copy link
              </MenuItem>
              <MenuItem icon={<GitCompareArrows aria-hidden />} href={`/compare?a=${info.id}`}>
                Compare with…
              </MenuItem>
            </>
          )}
        </Menu>
      )}
      {again !== undefined && dialog !== undefined && (
        <AgainDialog
          {...{ dialog, trace }}
          projectId={info.projectId}
          span={at.span}
          services={again}
          onClose={at.onClose}
        />
      )}
    </>
  );
}

async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    showToast({ text: 'The link is copied.' });
  } catch {
    // The browser may refuse the clipboard (permission, no focus).
    showToast({ text: 'The browser refused the clipboard. The link is in the address bar too.', tone: 'bad' });
  }
}
