import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { AccessContext } from '@/components/access/access-context';
import type { ProjectAccess } from '@/lib/base/project-access';
import { howToGive, secretToSet } from '@/lib/base/project-env';
import { noKeyFor } from '@/lib/cards/models/missing-key';
import { findProvider } from '@/lib/cards/models/providers';
import { KeyContext, KeyProjectContext, type KeyServices } from './key-context';
import { MissingKey, SetKey } from './set-key';

const key = 'sk-of-a-person-0123';
const desk = { id: 'desk', name: 'Desk' };
const viewer: ProjectAccess = { rights: ['read'], role: 'viewer', ask: 'Ada', accounts: true };

function keyDesk(refusal?: string) {
  const calls: unknown[] = [];
  const services: KeyServices = {
    async store(...given) {
      calls.push(['store', ...given]);
      if (refusal !== undefined) throw new Error(refusal);
    },
    async test(...given) {
      calls.push(['test', ...given]);
      return { outcome: 'refused', message: 'api.anthropic.com refuses the key (status 401).', models: [] };
    },
    storeSecret: () => Promise.reject(new Error('not asked for')),
    listModels: () => Promise.reject(new Error('not asked for')),
  };
  return { calls, services };
}

interface Page {
  readonly services: KeyServices;
  readonly everywhere: boolean;
  readonly access?: ProjectAccess;
  readonly children: ReactNode;
}

function page({ services, everywhere, access, children }: Page) {
  const inProject = <KeyProjectContext value={desk}>{children}</KeyProjectContext>;
  return render(
    <KeyContext value={{ services, everywhere }}>
      {access === undefined ? inProject : <AccessContext value={access}>{inProject}</AccessContext>}
    </KeyContext>,
  );
}

async function type(value: string) {
  fireEvent.click(screen.getByRole('button', { name: /^Set key/ }));
  fireEvent.change(await screen.findByLabelText('Key'), { target: { value } });
}

test('the provider is known, its answer is shown, and the key is stored for every project', async () => {
  const { calls, services } = keyDesk();
  page({ services, everywhere: true, children: <SetKey variable="ANTHROPIC_API_KEY" /> });
  await type(` ${key} `);
  screen.getByRole('dialog', { name: 'Key of Anthropic' });
  expect(screen.queryByRole('combobox', { name: 'Provider' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^Test/ }));
  await screen.findByText('api.anthropic.com refuses the key (status 401).');
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual([
    ['test', undefined, 'ANTHROPIC_API_KEY', key],
    ['store', undefined, 'ANTHROPIC_API_KEY', key],
  ]);
});

test('who manages the project alone stores the key there', async () => {
  const { calls, services } = keyDesk();
  page({ services, everywhere: false, children: <SetKey variable="OPENAI_API_KEY" /> });
  await type(key);
  screen.getByText('For the models of Desk alone.');
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  await waitFor(() => expect(calls).toEqual([['store', 'desk', 'OPENAI_API_KEY', key]]));
});

test('a refusal is at the field, and what was typed stays', async () => {
  const { services } = keyDesk('A secret has at least 8 characters.');
  page({ services, everywhere: true, children: <SetKey variable="OPENAI_API_KEY" /> });
  await type('short');
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  await screen.findByText('A secret has at least 8 characters.');
  expect(screen.getByLabelText<HTMLInputElement>('Key').value).toBe('short');
});

test('who may set no key reads whom to ask, and gets no button', () => {
  const { services } = keyDesk();
  page({ services, everywhere: false, access: viewer, children: <SetKey variable="OPENAI_API_KEY" /> });
  expect(screen.queryByRole('button')).toBeNull();
  screen.getByText(/^You may not set these secrets\. .* Ask Ada\.$/);
});

test('the sentence of a missing key has the button of its provider, and other messages have none', () => {
  const { services } = keyDesk();
  const mistral = findProvider('mistral');
  const text = mistral === undefined ? '' : `Model 'mistral.x' is not served: ${noKeyFor(mistral)}`;
  page({ services, everywhere: true, children: <MissingKey text={text} /> });
  screen.getByRole('button', { name: 'Set key… of Mistral' });
  page({ services, everywhere: true, children: <MissingKey text="The run has used its tokens." /> });
  expect(screen.getAllByRole('button')).toHaveLength(1);
});

test('on a page where nobody sets keys, such as a shared run, there is nothing', () => {
  const { container } = render(<SetKey variable="OPENAI_API_KEY" />);
  expect(container.textContent).toBe('');
});

test('a variable of a server is stored as a secret of the project', async () => {
  const { calls, services } = keyDesk();
  const text = `Server 'git' asks for the variable GIT_TOKEN. ${howToGive('GIT_TOKEN')}`;
  page({ services, everywhere: true, children: <MissingKey text={text} /> });
  fireEvent.click(screen.getByRole('button', { name: 'Set secret… GIT_TOKEN' }));
  fireEvent.change(await screen.findByLabelText('Value'), { target: { value: key } });
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  await waitFor(() => expect(calls).toEqual([['store', 'desk', 'GIT_TOKEN', key]]));
});

test('a refused secret says why at its field, and what was typed stays', async () => {
  const { services } = keyDesk('A secret has at least 8 characters.');
  page({ services, everywhere: true, children: <MissingKey text={howToGive('GIT_TOKEN')} /> });
  fireEvent.click(screen.getByRole('button', { name: /^Set secret/ }));
  fireEvent.change(await screen.findByLabelText('Value'), { target: { value: 'short' } });
  fireEvent.click(screen.getByRole('button', { name: 'Store' }));
  await screen.findByText('A secret has at least 8 characters.');
  expect(screen.getByLabelText<HTMLInputElement>('Value').value).toBe('short');
});

test('who may not set secrets reads whom to ask, and a name that no secret can have has no button', () => {
  const { services } = keyDesk();
  page({ services, everywhere: false, access: viewer, children: <MissingKey text={howToGive('GIT_TOKEN')} /> });
  screen.getByText(/Ada/);
  expect(screen.queryByRole('button')).toBeNull();
  expect(secretToSet(howToGive('CALLBOARD_DATA'))).toBeUndefined();
});
