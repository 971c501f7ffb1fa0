import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SecretForm } from './secret-form';
import type { NewSecret } from './secret-types';

function shown(needsBounds: boolean): readonly NewSecret[] {
  const saved: NewSecret[] = [];
  render(
    <SecretForm
      secret={undefined}
      projects={[{ id: 'p', name: 'Poems' }]}
      needsBounds={needsBounds}
      onSave={async (secret) => {
        saved.push(secret);
      }}
      onTest={() => new Promise(() => {})}
      onClose={() => {}}
    />,
  );
  return saved;
}

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const mayStore = () => !screen.getByRole('button', { name: 'Store' }).hasAttribute('disabled');

it('says that hosts or projects are needed, and stores once there are some', async () => {
  const saved = shown(true);
  type('Name', 'GITHUB_TOKEN');
  type('Value', 'ghp-1234567890');
  screen.getByLabelText('Only in projects (needed, or hosts)');
  screen.getByText(/Without hosts or projects, who may edit any project could send it anywhere/);
  expect(mayStore()).toBe(false);
  type('Only for (needed, or projects)', 'api.github.com, server:mail');
  expect(mayStore()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  const hosts = ['api.github.com', 'server:mail'];
  await expect.poll(() => saved).toEqual([{ name: 'GITHUB_TOKEN', value: 'ghp-1234567890', hosts, projects: [] }]);
});

it('the key of a model provider needs neither', () => {
  shown(true);
  type('Name', 'OPENAI_API_KEY');
  type('Value', 'sk-1234567890');
  screen.getByLabelText('Only for (optional)');
  expect(mayStore()).toBe(true);
});

it('both are optional where nobody else makes projects', () => {
  shown(false);
  type('Name', 'GITHUB_TOKEN');
  type('Value', 'ghp-1234567890');
  screen.getByLabelText('Only in projects (optional)');
  expect(mayStore()).toBe(true);
});
