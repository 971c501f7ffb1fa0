import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

test('hooks that fast-agent adds by itself are told to do nothing here, at their lines', () => {
  const config =
    'default_model: haiku\nsession_history: true\ncompaction:\n  prompt: Be short.\nlogger: {level: info}\n';
  const { issues } = readFolder(folderOf({ 'fast-agent.yaml': config, 'agent-cards/a.md': '---\nname: a\n---\nA.\n' }));
  expect(issues.map(({ code, severity, line, message }) => [code, severity, line, message.split(':')[0]])).toEqual([
    ['no-effect', 'warning', 2, "'session_history' has no effect in Callboard"],
    ['no-effect', 'warning', 3, "'compaction' has no effect in Callboard"],
  ]);
  const off = readFolder(folderOf({ 'fast-agent.yaml': 'session_history: false\n' }));
  expect(off.issues.map(({ code }) => code)).not.toContain('no-effect');
});
