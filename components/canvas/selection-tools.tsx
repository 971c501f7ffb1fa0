'use client';

import { Panel } from '@xyflow/react';
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Group,
  type LucideIcon,
  Trash2,
} from 'lucide-react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { IconButton } from '@/components/ui/icon-button';
import type { Alignment, Axis } from '@/lib/graph/arrange';

export const arrangements: readonly {
  readonly how: Alignment | Axis;
  readonly label: string;
  readonly Icon: LucideIcon;
}[] = [
  { how: 'left', label: 'Align left', Icon: AlignStartVertical },
  { how: 'centre', label: 'Align centres', Icon: AlignCenterVertical },
  { how: 'right', label: 'Align right', Icon: AlignEndVertical },
  { how: 'top', label: 'Align top', Icon: AlignStartHorizontal },
  { how: 'middle', label: 'Align middles', Icon: AlignCenterHorizontal },
  { how: 'bottom', label: 'Align bottom', Icon: AlignEndHorizontal },
  { how: 'across', label: 'Distribute across', Icon: AlignHorizontalDistributeCenter },
  { how: 'down', label: 'Distribute down', Icon: AlignVerticalDistributeCenter },
];

/** The tools for several selected nodes. They are shown above the graph while there are several. */
export function SelectionTools({ onRemove }: { readonly onRemove: () => void }) {
  const selection = useProject((state) => state.selection);
  const commands = useCommands();
  if (selection.length < 2) return null;
  return (
    <Panel position="top-center">
      <div
        role="toolbar"
        aria-label={`${selection.length} selected`}
        className="flex flex-wrap items-center justify-center gap-0.5 rounded-lg border bg-raised p-0.5 shadow-pop"
      >
        <span className="px-1.5 text-muted text-xs tabular">{selection.length}</span>
        {arrangements.map(({ how, label, Icon }) => (
          <IconButton
            key={how}
            size="sm"
            label={label}
            icon={<Icon aria-hidden />}
            disabled={(how === 'across' || how === 'down') && selection.length < 3}
            onClick={() => commands.arrange(how)}
          />
        ))}
        <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
        <IconButton size="sm" label="Group" icon={<Group aria-hidden />} onClick={() => commands.group(selection)} />
        <IconButton size="sm" label="Delete the selection" icon={<Trash2 aria-hidden />} onClick={onRemove} />
      </div>
    </Panel>
  );
}
