import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { createProjectStore } from '@/lib/editor/project-store';
import { ProjectContext, useProject, useProjectAs } from './project-context';

function project() {
  return createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: folderOf({}) }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
}

it('draws again only what shows a changed value', () => {
  const drawn: string[] = [];
  function Name() {
    drawn.push('name');
    return <output>{useProject(({ name }) => name)}</output>;
  }
  function Parity() {
    drawn.push('parity');
    // Made anew each time, and the same as long as the length stays odd or even.
    return (
      <p>
        {
          useProjectAs(
            ({ name }) => ({ odd: name.length % 2 }),
            (a, b) => a.odd === b.odd,
          ).odd
        }
      </p>
    );
  }
  const open = project();
  render(
    <ProjectContext value={open}>
      <Name />
      <Parity />
    </ProjectContext>,
  );
  drawn.length = 0;
  act(() => open.store.setState({ name: 'Two' }));
  expect([screen.getByRole('status').textContent, drawn]).toEqual(['Two', ['name']]);
  act(() => open.store.setState({ name: 'Four' }));
  expect(drawn).toEqual(['name', 'name', 'parity']);
  act(() => open.store.setState({ dirty: true }));
  expect(drawn).toEqual(['name', 'name', 'parity']);
});
