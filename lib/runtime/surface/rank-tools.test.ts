import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { rankTools } from './rank-tools';

function tool(name: string, description = '', parameters: readonly string[] = []): ToolDescriptor {
  const properties = Object.fromEntries(parameters.map((key) => [key, {}]));
  return { name, description, inputSchema: { type: 'object', properties }, source: 'mcp', remoteName: name.slice(4) };
}

const tools = [
  tool('hub__list_issues', 'List the issues of a repository.', ['owner']),
  tool('hub__createIssue', 'Opens a ticket.', ['title']),
  tool('hub__merge_pull', 'Merge a pull request.', ['number']),
  tool('hub__send', 'Notify people about an issue.', ['recipients']),
  tool('hub__天気予報', '都市の天気を返す'),
];
const found = (query: string) => rankTools(tools, query).map(({ name }) => name);

test.each<[string, string, readonly string[]]>([
  ['words in the name count most', 'create an issue', ['hub__createIssue', 'hub__list_issues', 'hub__send']],
  ['the description is read', 'ticket', ['hub__createIssue']],
  ['parameters are read', 'recipient', ['hub__send']],
  ['a beginning fits', 'repo', ['hub__list_issues']],
  ['a name finds its tool first', 'SEND', ['hub__send']],
  ['a whole name finds its tool first', 'hub__merge_pull', ['hub__merge_pull', ...others('hub__merge_pull')]],
  ['words without blanks between them are found', '天気', ['hub__天気予報']],
  ['nothing fits', 'zebra', []],
  ['short words do not fit inside others', 'it', []],
  ['no word', ' ?! ', []],
])('%s: %s', (_, query, names) => {
  expect(found(query)).toEqual(names);
});

/** The word `hub` is in every name. */
function others(name: string): string[] {
  return tools.map((one) => one.name).filter((one) => one !== name);
}

const word = fc.constantFrom('list', 'open', 'issue', 'file', 'send', 'mail', 'a', 'of', 'Ünder', 'x9');
const someTools = fc
  .uniqueArray(fc.array(word, { minLength: 1, maxLength: 3 }), { selector: (words) => words.join('_'), maxLength: 30 })
  .chain((names) =>
    fc.tuple(...names.map((words) => fc.array(word).map((said) => tool(`box_${words.join('_')}`, said.join(' '))))),
  )
  .map((list): ToolDescriptor[] => [...list]);
const query = fc.array(word, { minLength: 1, maxLength: 5 });

test('the result is some of the tools, each once, and the same for every order of the words', () => {
  fc.assert(
    fc.property(someTools, query, (given, words) => {
      const ranked = rankTools(given, words.join(' '));
      expect(new Set(ranked).size).toBe(ranked.length);
      expect(given).toEqual(expect.arrayContaining([...ranked]));
      expect(rankTools([...given], [...words].reverse().join(', '))).toEqual(ranked);
    }),
  );
});

test('every tool is found by its name, before all others', () => {
  fc.assert(
    fc.property(someTools, (given) => {
      for (const one of given) expect(rankTools(given, one.name)[0]).toBe(one);
    }),
  );
});

test('any text is a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(rankTools(tools, text).length).toBeLessThanOrEqual(tools.length);
    }),
  );
});
