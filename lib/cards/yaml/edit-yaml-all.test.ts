import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '@/lib/base/json';
import { ok } from '@/lib/base/result';
import { tries } from '@/lib/testing/tries';
import { editYaml, editYamlAll } from './edit-yaml';
import type { YamlEdit } from './yaml-edit';
import { parseYaml } from './yaml-source';

const text = `# Ours
version: 1
delegations:
  lead: # the first
    kid: {session: reuse}
approvals:
  rules:
    - {tools: [time__*], effect: ask} # keep
canvas:
  positions:
    agent:kid: {x: 1, y: 2}
    agent:lead: {x: 3, y: 4}
`;

function oneByOne(start: string, edits: readonly YamlEdit[]) {
  let now = start;
  for (const edit of edits) {
    const edited = editYaml(now, edit);
    if (!edited.ok) return edited;
    now = edited.value;
  }
  return ok(now);
}

const readValue = (source: string) => parseYaml({ text: source, offset: 0 }).value;
const set = (path: (string | number)[], value: Json): YamlEdit => ({
  op: 'set',
  path,
  value,
});

describe('several edits at once', () => {
  test.each<[string, readonly YamlEdit[]]>([
    ['new entries of a mapping', [set(['delegations', 'boss'], { kid: 1 }), set(['delegations', 'clerk'], { kid: 2 })]],
    [
      'an entry in a new one',
      [set(['delegations', 'boss'], { pal: 1 }), set(['delegations', 'boss', 'kid'], { session: 'new' })],
    ],
    [
      'new keys of the root, in their order',
      [set(['scripts', 'a'], [1]), set(['limits', 'depth'], 3), set(['other'], 1)],
    ],
    [
      'values, and entries at the end of lists',
      [
        set(['canvas', 'positions', 'agent:kid', 'x'], 9),
        { op: 'insert', path: ['approvals', 'rules'], index: 1, value: { tools: ['a'], effect: 'deny' } },
        { op: 'insert', path: ['approvals', 'rules', 0, 'tools'], index: 1, value: 'b' },
      ],
    ],
    [
      'keys and texts in place',
      [
        { op: 'rename', path: ['delegations', 'lead', 'kid'], key: 'child' },
        { op: 'rename', path: ['delegations', 'lead'], key: 'boss' },
        { op: 'rename', path: ['canvas', 'positions', 'agent:kid'], key: 'agent:child' },
        set(['approvals', 'rules', 0, 'tools', 0], 'clock__*'),
      ],
    ],
    ['a removal among them', [{ op: 'remove', path: ['approvals'] }, set(['limits', 'depth'], 3)]],
  ])('give the text that they give one by one: %s', (_, edits) => {
    expect(editYamlAll(text, edits)).toEqual(oneByOne(text, edits));
  });

  test('begin an empty file', () => {
    const edits = [set(['mcp', 'servers', 'a'], { url: 'x' }), set(['mcp', 'servers', 'b'], { url: 'y' })];
    expect(editYamlAll('', edits, 'fast-agent.yaml')).toEqual(oneByOne('', edits));
  });

  test('work beside an alias, which is left as it is', () => {
    const aliased = `${text}limits: &l {depth: 3}\nother: *l\n`;
    const edits = [set(['delegations', 'a'], 1), set(['delegations', 'b'], 2)];
    expect(editYamlAll(aliased, edits)).toEqual(oneByOne(aliased, edits));
  });

  test('return the Issue of the first one that cannot be made', () => {
    const edits = [set(['delegations', 'a'], 1), set(['version', 'x'], 2), set(['delegations', 'b'], 2)];
    const edited = editYamlAll(text, edits);
    expect(edited).toEqual(oneByOne(text, edits));
    expect(edited.ok).toBe(false);
  });

  test('give the same value as one by one, whatever they are', () => {
    const key = fc.constantFrom('delegations', 'lead', 'kid', 'a', 'b', 'rules', 'approvals');
    const path = fc.array(key, { minLength: 1, maxLength: 3 });
    const value = fc.oneof(fc.constant(1), fc.constant('x'), fc.constant({ a: 1 }), fc.constant(['x']));
    const edit: fc.Arbitrary<YamlEdit> = fc.oneof(
      fc.record({ op: fc.constant('set' as const), path, value }),
      fc.record({ op: fc.constant('insert' as const), path, index: fc.constant(0), value }),
      fc.record({ op: fc.constant('remove' as const), path }),
      fc.record({ op: fc.constant('rename' as const), path, key }),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), (edits) => {
        const [all, single] = [editYamlAll(text, edits), oneByOne(text, edits)];
        expect(all.ok).toBe(single.ok);
        if (all.ok && single.ok) expect(readValue(all.value)).toEqual(readValue(single.value));
      }),
      { numRuns: tries(200) },
    );
  });
});
