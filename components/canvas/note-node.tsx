'use client';

import { type NodeProps, NodeResizer } from '@xyflow/react';
import { StickyNote } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { smallestNote } from '@/lib/graph/group-frames';
import type { NoteNode as NoteNodeType } from './annotation-model';
import { SelectedRing } from './selected-ring';

/** Draws a note: a text beside the nodes. Double click, Enter or F2 writes in it. */
export const NoteNode = memo(function NoteNode(props: NodeProps<NoteNodeType>) {
  const { note } = props.data;
  const writing = useProject((state) => state.renaming === props.id);
  const mayEdit = useProject((state) => state.mayEdit);
  const commands = useCommands();
  return (
    <>
      <NodeResizer
        isVisible={props.selected === true && mayEdit}
        minWidth={smallestNote.width}
        minHeight={smallestNote.height}
        lineClassName="!border-accent"
        handleClassName="!size-2 !rounded-sm !border-accent !bg-surface"
        onResizeEnd={(_, { x, y, width, height }) => commands.setNote(note.id, { x, y, width, height })}
      />
      {props.selected ? <SelectedRing id={props.id} /> : null}
      <div
        className={`h-full w-full overflow-hidden rounded-md border bg-warn-soft shadow-card ${props.selected ? 'border-accent' : 'border-line'}`}
      >
        {writing ? (
          <NoteText id={note.id} text={note.text} />
        ) : (
          <p className="cb-note h-full whitespace-pre-wrap break-words px-2.5 py-2 text-ink">
            {note.text === '' ? (
              <span className="flex items-center gap-1.5 text-muted">
                <StickyNote size={13} aria-hidden /> Empty note
              </span>
            ) : (
              note.text
            )}
          </p>
        )}
      </div>
    </>
  );
});

function NoteText(props: { readonly id: string; readonly text: string }) {
  const actions = useActions();
  const commands = useCommands();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return (
    <textarea
      ref={field}
      aria-label="Text of the note"
      defaultValue={props.text}
      placeholder="Write a note"
      className="nodrag nopan nowheel cb-note block h-full w-full resize-none select-text bg-transparent px-2.5 py-2 text-ink outline-none placeholder:text-muted"
      onBlur={(event) => {
        const text = event.currentTarget.value;
        if (text !== props.text) commands.setNote(props.id, { text });
        actions.show({ renaming: undefined });
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.metaKey || event.ctrlKey))) return;
        const node = event.currentTarget.closest<HTMLElement>('.react-flow__node');
        event.currentTarget.blur();
        node?.focus({ preventScroll: true });
      }}
    />
  );
}
