import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { read, sliceOf } from '@/lib/testing/pasted-pair';
import { mergeSlice } from './merge-slice';

describe('what agents rely on and do not bring', () => {
  const chain = { 'agent-cards/c.md': '---\nname: c\ntype: chain\nsequence: [x, y]\n---\n' };
  const agent = (name: string, text = 'Work.') => ({
    [`agent-cards/${name}.md`]: `---\nname: ${name}\n---\n${text}\n`,
  });
  const gateway = {
    'agent-cards/a.md': '---\nname: a\nmodel: openai.gpt-5\n---\nWork.\n',
    'agent-cards/b.md': '---\nname: b\n---\nWork.\n',
    'fast-agent.yaml':
      'default_model: generic.qwen\nopenai: {base_url: "https://gw.corp/v1", api_key: hidden}\ngeneric: {base_url: "http://lan:1"}\nanthropic: {base_url: "https://x"}\n',
  };
  const missing = (there: Record<string, string>, names: readonly string[], here: Record<string, string>) => {
    const slice = sliceOf(read(folderOf(there)), new Set(names.map((name) => `agent-cards/${name}.md`)), new Set());
    expect(JSON.stringify([slice.beside, ...slice.folder])).not.toContain('hidden');
    const merged = mergeSlice(read(folderOf(here)), slice);
    if (!merged.ok) throw new Error(merged.error.message);
    return merged.value.missing;
  };

  test('names an agent of this project that takes the place of one that was not copied', () => {
    const there = { ...chain, ...agent('x'), ...agent('y') };
    expect(missing(there, ['c'], agent('x', 'Something else.'))).toEqual([
      "Agent 'x' was not copied: 'c' uses the agent 'x' of this project.",
      expect.stringContaining("Agent 'y' was not copied and is not here."),
    ]);
    expect(missing(there, ['c'], there)).toEqual([]);
  });

  test('names settings of its provider, by their keys, where they are others', () => {
    expect(missing(gateway, ['a'], {})).toEqual([
      "The models of the agents used these settings, which are others here or missing: 'openai.base_url'. Set them in fast-agent.yaml.",
    ]);
    expect(missing(gateway, ['a'], gateway)).toEqual([]);
    const other = { 'fastagent.config.yaml': 'openai: {base_url: "https://other"}\n' };
    expect(missing(gateway, ['a'], other)).toEqual([
      expect.stringContaining("'openai.base_url'. Set them in fastagent.config.yaml"),
    ]);
  });

  test('names the default model of an agent without one, and the settings of its provider', () => {
    expect(missing(gateway, ['b'], {})).toEqual([expect.stringContaining("'default_model', 'generic.base_url'")]);
    const here = { 'fast-agent.yaml': 'default_model: openai.gpt-5\n' };
    expect(missing(gateway, ['b'], here)).toEqual([expect.stringContaining("'default_model', 'generic.base_url'")]);
    expect(missing(gateway, ['b'], gateway)).toEqual([]);
  });
});
