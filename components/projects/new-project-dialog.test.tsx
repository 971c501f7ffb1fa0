import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { NewProjectDialog } from './new-project-dialog';

it('tells a press by mouse or touch from a press by key, wherever the focus is', () => {
  const onCreate = vi.fn();
  const model = { model: 'openai.gpt', provider: 'OpenAI' };
  render(<NewProjectDialog samples={[]} firstModel={model} busy={false} onClose={() => {}} onCreate={onCreate} />);
  screen.getByRole('textbox', { name: 'Name' }).focus();
  const button = screen.getByRole('button', { name: 'Create project' });
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 0 });
  expect(onCreate.mock.calls).toEqual([
    ['Untitled', undefined, true],
    ['Untitled', undefined, false],
  ]);
});
