'use client';

import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { groupColours } from '@/lib/cards/canvas-settings';
import type { NodeId } from '@/lib/graph/graph';
import { DraftInput, DraftLines } from './draft-input';
import { Group } from './group';

/** Edits a note or a group of the canvas. Neither changes what runs. */
export function AnnotationForm({ id }: { readonly id: NodeId }) {
  const { notes, groups } = useProject((state) => state.picture.drawn.settings.canvas);
  const note = notes.find((one) => `note:${one.id}` === id);
  const group = groups.find((one) => `group:${one.id}` === id);
  const commands = useCommands();
  if (note !== undefined) {
    return (
      <Group title="Note">
        <Field label="Text" hint="Only people read it: runs and exports of cards leave it out.">
          {(ids) => (
            <DraftLines {...ids} rows={8} value={note.text} onCommit={(text) => commands.setNote(note.id, { text })} />
          )}
        </Field>
      </Group>
    );
  }
  if (group === undefined) return null;
  return (
    <Group title="Group">
      <Field label="Title">
        {(ids) => (
          <DraftInput {...ids} value={group.title} onCommit={(text) => commands.setGroup(group.id, 'title', text)} />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <DraftInput
            {...ids}
            value={group.description ?? ''}
            onCommit={(text) => commands.setGroup(group.id, 'description', text)}
          />
        )}
      </Field>
      <Field label="Colour">
        {(ids) => (
          <Select
            {...ids}
            value={group.colour ?? 'grey'}
            onValueChange={(value) => commands.setGroup(group.id, 'colour', value === 'grey' ? undefined : value)}
            options={groupColours.map((value) => ({ value, label: value }))}
          />
        )}
      </Field>
      <p className="text-muted text-xs">
        {group.members.length} members. A frame moves its members and changes no run.
      </p>
      <Button size="sm" onClick={() => commands.ungroup(group.id)}>
        Ungroup
      </Button>
    </Group>
  );
}
