'use client';

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { VisibleText } from '@/components/ui/visible-text';
import type { FrameNode as FrameNodeType } from './annotation-model';
import { groupTone } from './group-tone';
import { SelectedRing } from './selected-ring';
import { useCollapsed } from './use-collapsed';

/** Draws the frame of a group behind its members. Its head moves them; collapsed, a box stands in their place. */
export const FrameNode = memo(function FrameNode(props: NodeProps<FrameNodeType>) {
  const { frame, collapsed } = props.data;
  const { group, members } = frame;
  const [, toggle] = useCollapsed();
  const naming = useProject((state) => state.renaming === props.id);
  const tone = groupTone(group.colour);
  const Chevron = collapsed ? ChevronRight : ChevronDown;
  return (
    <>
      {collapsed ? <Handle type="target" position={Position.Left} isConnectable={false} className="cb-handle" /> : null}
      <div
        className={`h-full w-full rounded-xl border ${collapsed ? 'cb-card shadow-card' : 'border-dashed'}`}
        style={{
          borderColor: props.selected ? 'var(--accent)' : tone,
          background: `color-mix(in srgb, ${tone} ${collapsed ? 14 : 7}%, var(--${collapsed ? 'surface' : 'ground'}))`,
        }}
      >
        <div className="cb-frame-head pointer-events-auto flex cursor-grab items-center gap-1.5 px-2.5 pt-1.5">
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={!collapsed}
            aria-label={`${collapsed ? 'Expand' : 'Collapse'} ${group.title}`}
            title={collapsed ? 'Show the members (only you see this)' : 'Hide the members (only for you)'}
            className="nodrag -ml-1 flex size-5 shrink-0 cursor-pointer items-center justify-center rounded-sm text-muted hover:bg-hover"
            onClick={() => toggle(group.id)}
          >
            <Chevron size={14} aria-hidden />
          </button>
          {naming ? (
            <TitleField id={group.id} title={group.title} />
          ) : (
            <span className="cb-name min-w-0 flex-1 truncate font-semibold text-ink" title={group.title}>
              <VisibleText text={group.title} />
            </span>
          )}
          <span className="cb-small shrink-0 text-muted tabular">{members.length}</span>
        </div>
        {group.description === undefined ? null : (
          <p className="cb-small truncate px-2.5 text-muted" title={group.description}>
            {group.description}
          </p>
        )}
      </div>
      {props.selected ? <SelectedRing id={props.id} /> : null}
      {collapsed ? (
        <Handle type="source" position={Position.Right} isConnectable={false} className="cb-handle" />
      ) : null}
    </>
  );
});

function TitleField(props: { readonly id: string; readonly title: string }) {
  const actions = useActions();
  const commands = useCommands();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  return (
    <input
      ref={field}
      aria-label="Title of the group"
      defaultValue={props.title}
      className="nodrag nopan cb-name min-w-0 flex-1 select-text rounded-sm border border-accent bg-surface px-1 font-semibold text-ink outline-none"
      onBlur={(event) => {
        const title = event.currentTarget.value.trim();
        if (title !== '' && title !== props.title) commands.setGroup(props.id, 'title', title);
        actions.show({ renaming: undefined });
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') event.currentTarget.value = props.title;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        const node = event.currentTarget.closest<HTMLElement>('.react-flow__node');
        event.currentTarget.blur();
        node?.focus({ preventScroll: true });
      }}
    />
  );
}
