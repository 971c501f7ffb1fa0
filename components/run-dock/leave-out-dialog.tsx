'use client';

import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useRun, useRunActions } from '@/components/editor-state/run-context';
import { useServers } from '@/components/editor-state/servers-context';
import { useChosenAgent } from '@/components/editor-state/use-next-run';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { foundIn, hasLeftOut, type LeaveOutGroup, leaveOutGroups } from '@/lib/editor/leave-out';

/** So many rows of a group are drawn. The search finds the others. */
const mostRows = 200;

/** Lists what the next run can do without. */
export function LeaveOutDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const leftOut = useRun((state) => state.leftOut);
  const agent = useChosenAgent();
  const entry = useProject((state) => state.picture.entry);
  const drawn = useProject((state) => state.picture.drawn);
  const known = useServers((state) => state.known);
  const actions = useRunActions();
  const groups = leaveOutGroups(drawn, known, agent ?? entry, leftOut);
  const found = foundIn(groups, typed);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Leave out of the next run"
      description="The run does without what is checked. The files do not change. Hooks cannot be left out."
      footer={
        <>
          <Button disabled={leftOut.length === 0} onClick={() => actions.set({ leftOut: [] })}>
            Leave nothing out
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Input
        type="search"
        aria-label="Search agents, servers and tools"
        placeholder="Search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="status" className="pt-2 text-muted text-sm empty:hidden">
        {found.length > 0 ? '' : groups.length === 0 ? 'The project has nothing else.' : 'Nothing matches.'}
      </p>
      {found.map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </Dialog>
  );
}

function Group({ title, rows }: LeaveOutGroup) {
  const leftOut = useRun((state) => state.leftOut);
  const actions = useRunActions();
  return (
    <section aria-label={title} className="pt-3">
      <h3 className="pb-1 font-medium text-muted text-xs">{title}</h3>
      <ul>
        {rows.slice(0, mostRows).map((row) => (
          <li key={row.key}>
            {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it is the control */}
            <label className="flex cursor-pointer items-center rounded text-sm hover:bg-hover">
              <Checkbox
                label={row.of === undefined ? row.label : `${row.label}, ${row.of}`}
                checked={hasLeftOut(leftOut, row.leftOut)}
                onToggle={() => actions.toggleLeftOut(row.leftOut)}
              />
              <span aria-hidden className="min-w-0 truncate pr-2 text-ink">
                {row.label}
              </span>
              {row.of !== undefined && (
                <span aria-hidden className="ml-auto min-w-0 truncate pr-2 text-muted text-xs">
                  {row.of}
                </span>
              )}
            </label>
          </li>
        ))}
      </ul>
      {rows.length > mostRows && (
        <p className="px-2 pt-1 text-muted text-xs">{rows.length - mostRows} more. Search for them by name.</p>
      )}
    </section>
  );
}
