// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is what a person writes
import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { setOwnAddress, type WrittenAddress } from './own-address';

function changed(files: Record<string, string>, written: Partial<WrittenAddress>) {
  const folder = folderOf(files);
  const own = { section: 'generic', address: 'http://localhost:1234/v1', secret: undefined, model: undefined };
  const changes = setOwnAddress(folder, readFolder(folder), { ...own, ...written });
  return changes.ok ? Object.fromEntries(changes.value) : changes.error.message;
}

test('an address and the name of the secret with its key are written, the key is not', () => {
  expect(changed({}, { secret: 'GENERIC_SERVER_KEY', model: 'generic.qwen3' })).toEqual({
    'fast-agent.yaml':
      'generic:\n  base_url: http://localhost:1234/v1\n  api_key: ${GENERIC_SERVER_KEY}\ndefault_model: generic.qwen3\n',
  });
});

test('what else the section says stays, and a key of before goes with its address', () => {
  const text =
    '# ours\ngeneric:\n  base_url: http://old/v1 # gone\n  api_key: ${OLD}\n  reasoning: low\ndefault_model: haiku\n';
  expect(changed({ 'fast-agent.yaml': text }, {})).toEqual({
    'fast-agent.yaml':
      '# ours\ngeneric:\n  base_url: http://localhost:1234/v1 # gone\n  reasoning: low\ndefault_model: haiku\n',
  });
});
