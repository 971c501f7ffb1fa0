import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { graphOf } from '@/lib/testing/graph-of';
import { pendingToolOf } from './tool-identity';

const parsed = graphOf('solo');
const tool: ToolDescriptor = { name: 'send', source: 'function', description: '', inputSchema: {} };
const files = { 'tools.py': 'import helper\n', 'helper.py': 'def to():\n  return 1\n', 'notes.md': 'one' };

function hashOf(more: Readonly<Record<string, string>>, source: ToolDescriptor['source'] = 'function'): string {
  return pendingToolOf({ ...tool, source }, { parsed, folder: folderOf({ ...files, ...more }) }).schemaHash;
}

it('a function with other code, also of a file that it imports, is another tool', () => {
  expect(hashOf({})).toBe(hashOf({ 'notes.md': 'two' }));
  expect(hashOf({ 'helper.py': 'def to():\n  return 2\n' })).not.toBe(hashOf({}));
  expect(hashOf({ 'lib/more.mts': 'export {}' })).not.toBe(hashOf({}));
  expect(hashOf({ 'helper.py': '' }, 'mcp')).toBe(hashOf({}, 'mcp'));
});
