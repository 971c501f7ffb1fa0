import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProjectContext } from '@/components/editor-state/project-context';
import { folderOf } from '@/lib/cards/files';
import { createProjectStore } from '@/lib/editor/project-store';
import { DraftInput } from './draft-input';

function shown(refuse?: (text: string) => string | undefined) {
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: folderOf({}) }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const said = { committed: [] as string[], pasted: [] as string[], fault: undefined as string | undefined };
  render(
    <ProjectContext value={project}>
      <DraftInput
        aria-label="Command"
        late
        value="npx"
        refuse={refuse ?? (() => undefined)}
        onFault={(fault) => {
          said.fault = fault;
        }}
        onCommit={(text) => said.committed.push(text)}
        onTakePaste={(event) => {
          said.pasted.push(event.clipboardData.getData('text/plain'));
          return true;
        }}
      />
    </ProjectContext>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Command');
  field.focus();
  return { said, field };
}

const paste = (field: HTMLElement, text: string) =>
  fireEvent.paste(field, { clipboardData: { getData: () => text, types: ['text/plain'] } });

test('what was typed before is not written over a paste that was taken, and the focus stays', () => {
  const { said, field } = shown();
  fireEvent.change(field, { target: { value: 'typed' } });
  paste(field, 'uvx time --zone UTC');
  expect(said).toMatchObject({ pasted: ['uvx time --zone UTC'], committed: [] });
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe('npx');
  fireEvent.blur(field);
  expect(said.committed).toEqual([]);
  fireEvent.change(field, { target: { value: 'node' } });
  fireEvent.blur(field);
  expect(said.committed).toEqual(['node']);
});

test('a paste that was taken ends a fault', () => {
  const { said, field } = shown((text) => (text === '' ? 'Name the program.' : undefined));
  fireEvent.change(field, { target: { value: '' } });
  expect(said.fault).toBe('Name the program.');
  paste(field, 'uvx time');
  expect(said.fault).toBeUndefined();
  expect(field.value).toBe('npx');
});
