import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { setDefaultModel } from './default-model';

function changed(files: Record<string, string>, model: string | undefined) {
  const folder = folderOf(files);
  const changes = setDefaultModel(folder, readFolder(folder), model);
  return changes.ok ? Object.fromEntries(changes.value) : changes.error.message;
}

test('only the line of the default model changes', () => {
  const text = '# ours\ndefault_model: passthrough # for now\nmcp:\n  servers: {}\n';
  expect(changed({ 'fast-agent.yaml': text }, 'openai.gpt-5-mini')).toEqual({
    'fast-agent.yaml': text.replace('passthrough', 'openai.gpt-5-mini'),
  });
});

test('the file is made when there is none, and one of the older name is kept', () => {
  expect(changed({}, 'haiku')).toEqual({ 'fast-agent.yaml': 'default_model: haiku\n' });
  expect(changed({ 'fastagent.config.yaml': 'logger: {}\n' }, 'haiku')).toEqual({
    'fastagent.config.yaml': 'logger: {}\ndefault_model: haiku\n',
  });
});

test('without a model the line goes', () => {
  expect(changed({ 'fast-agent.yaml': 'default_model: haiku\nlogger: {}\n' }, undefined)).toEqual({
    'fast-agent.yaml': 'logger: {}\n',
  });
  expect(changed({ 'fast-agent.yaml': 'logger: {}\n' }, undefined)).toEqual({});
});
